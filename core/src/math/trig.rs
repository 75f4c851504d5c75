//! Sine and cosine by our own series, so that they give the same bits everywhere.

use super::{round_half_even, two_sum};

/// The largest angle that [`sin_cos`] reduces, in radians: 2^21, itself included.
pub const MAX_ANGLE: f64 = (1u64 << 21) as f64;

/// Two over pi: quarter turns in a radian.
const QUARTERS: f64 = f64::from_bits(0x3FE4_5F30_6DC9_C883);

/// A quarter turn in four parts, the first three of 32 bits: a product with any count below 2^21 is exact.
const QUARTER: [f64; 4] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E00_0000),
    f64::from_bits(0x397B_839A_2520_49C1),
];

/// Below this the angle is its own sine, and its cosine 1, both correctly rounded.
const TINY: f64 = 1.0 / (1u64 << 27) as f64;

/// Sine and cosine of an angle in radians of at most [`MAX_ANGLE`] in magnitude; a pair of NaN for any other.
///
/// Each is within one unit in its last place of the true value, and in [-1, 1]. The angle is reduced to an eighth turn
/// about the nearest quarter by subtracting the quarter's parts in turn (Cody and Waite, *Software Manual for the
/// Elementary Functions*, 1980), which leaves an error below 2^-100; the rest are Taylor's series.
///
/// ```
/// use navarena::math::sin_cos;
/// let (sine, cosine) = sin_cos(core::f64::consts::FRAC_PI_6);
/// assert!((sine - 0.5).abs() < 1e-15 && (cosine * cosine - 0.75).abs() < 1e-15);
/// assert_eq!(sin_cos(0.0), (0.0, 1.0));
/// assert!(sin_cos(f64::INFINITY).0.is_nan());
/// ```
pub fn sin_cos(angle: f64) -> (f64, f64) {
    let magnitude = angle.abs();
    if magnitude < TINY {
        return (angle, 1.0);
    }
    if magnitude > MAX_ANGLE || angle.is_nan() {
        return (f64::NAN, f64::NAN);
    }
    let quarters = round_half_even(angle * QUARTERS);
    let (high, low) = reduced(angle, quarters);
    let (sine, cosine) = (sine_series(high, low), cosine_series(high, low));
    match quarters as i64 & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The angle minus so many quarter turns, as a sum of two doubles.
fn reduced(angle: f64, quarters: f64) -> (f64, f64) {
    // The first difference is exact: the two are within a factor of two of each other, or there is nothing to take.
    let first = angle - quarters * QUARTER[0];
    let (second, lost) = two_sum(first, -(quarters * QUARTER[1]));
    let (third, lost_too) = two_sum(second, -(quarters * QUARTER[2]));
    two_sum(third, (lost + lost_too) - quarters * QUARTER[3])
}

/// Sine of `high + low` for at most an eighth turn, to the term of x^17.
fn sine_series(high: f64, low: f64) -> f64 {
    const TERMS: [f64; 8] = inverse_factorials(3);
    let square = high * high;
    let tail = series(&TERMS, square);
    high + ((high * square) * tail + (low - 0.5 * square * low))
}

/// Cosine of `high + low` for at most an eighth turn, to the term of x^18.
fn cosine_series(high: f64, low: f64) -> f64 {
    const TERMS: [f64; 8] = inverse_factorials(4);
    let square = high * high;
    let half = 0.5 * square;
    let rest = (square * square) * -series(&TERMS, square) - high * low;
    // `near` rounds; what it lost is added with the small terms.
    let near = 1.0 - half;
    near + (((1.0 - near) - half) + rest)
}

/// `-1/n! + x/(n+2)! - x^2/(n+4)! ..` from factors with their signs, summed from the smallest term up.
fn series(terms: &[f64; 8], x: f64) -> f64 {
    let mut sum = terms[7];
    for term in terms[..7].iter().rev() {
        sum = *term + x * sum;
    }
    sum
}

/// `-1/n!, 1/(n+2)!, -1/(n+4)!` and so on. The factorials are exact up to 22!, so each is rounded once.
const fn inverse_factorials(first: u32) -> [f64; 8] {
    let mut out = [0.0; 8];
    let mut sign = -1.0;
    let mut i = 0;
    while i < 8 {
        let mut factorial = 1.0;
        let mut factor = 2;
        while factor <= first + 2 * i {
            factorial *= factor as f64;
            factor += 1;
        }
        out[i as usize] = sign / factorial;
        sign = -sign;
        i += 1;
    }
    out
}

/// Cosine of a slope in degrees, as `build3d-polys.md` (section 1) has it: Taylor's series with 14 terms, summed from
/// the last, rounded to a float.
///
/// For slopes of 0 to 90 degrees; beyond those it is what the series gives.
///
/// ```
/// use navarena::math::cosine_of_degrees;
/// assert_eq!(cosine_of_degrees(45.0), 0.70710677);
/// assert_eq!(cosine_of_degrees(60.0), 0.5);
/// ```
pub fn cosine_of_degrees(degrees: f64) -> f32 {
    let x = degrees * (core::f64::consts::PI / 180.0);
    let square = x * x;
    let mut terms = [1.0; 14];
    for k in 1..terms.len() {
        let twice = 2.0 * k as f64;
        terms[k] = -terms[k - 1] * square / ((twice - 1.0) * twice);
    }
    let mut sum = 0.0;
    for term in terms.iter().rev() {
        sum += term;
    }
    sum as f32
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // the platform's functions are an oracle
mod tests {
    use super::*;
    use crate::math::SplitMix64;

    /// Angle, sine and cosine as bits, the results rounded from 400 bits. The first are the doubles nearest to a
    /// multiple of a quarter turn in the whole range.
    const EXACT: &[(u64, u64, u64)] = &[
        (0x4046_C6CB_C45D_C8DE, 0x3FF0_0000_0000_0000, 0xBC26_D61B_58C9_9C43),
        (0x4056_C6CB_C45D_C8DE, 0xBC36_D61B_58C9_9C43, 0xBFF0_0000_0000_0000),
        (0x4066_C6CB_C45D_C8DE, 0x3C46_D61B_58C9_9C43, 0x3FF0_0000_0000_0000),
        (0x3FF0_0000_0000_0000, 0x3FEA_ED54_8F09_0CEE, 0x3FE1_4A28_0FB5_068C),
        (0x3FE0_0000_0000_0000, 0x3FDE_AEE8_744B_05F0, 0x3FEC_1528_065B_7D50),
        (0x3FE9_21FB_5444_2D18, 0x3FE6_A09E_667F_3BCC, 0x3FE6_A09E_667F_3BCD),
        (0x3FF9_21FB_5444_2D18, 0x3FF0_0000_0000_0000, 0x3C91_A626_3314_5C07),
        (0x4009_21FB_5444_2D18, 0x3CA1_A626_3314_5C07, 0xBFF0_0000_0000_0000),
        (0x4002_D97C_7F33_21D2, 0x3FE6_A09E_667F_3BCD, 0xBFE6_A09E_667F_3BCC),
        (0x4019_21FB_5444_2D18, 0xBCB1_A626_3314_5C07, 0x3FF0_0000_0000_0000),
        (0xC004_0000_0000_0000, 0xBFE3_26AF_0DCF_CAB1, 0xBFE9_A2F7_EF85_8B7D),
        (0x3E7A_D7F2_9ABC_AF48, 0x3E7A_D7F2_9ABC_AF3B, 0x3FEF_FFFF_FFFF_FFD3),
        (0x3E11_2E0B_E826_D695, 0x3E11_2E0B_E826_D695, 0x3FF0_0000_0000_0000),
        (0x3FE9_21FB_5444_2D19, 0x3FE6_A09E_667F_3BCD, 0x3FE6_A09E_667F_3BCC),
        (0x4140_0000_0000_0000, 0x3FE3_F688_87A1_37EF, 0x3FE9_0272_24E7_04FA),
        (0xC13F_FFFF_FFFF_FFFE, 0xBFE3_F688_876F_330A, 0x3FE9_0272_250E_F20B),
        (0xC017_6693_8372_453E, 0x3FDA_DADA_BAB5_D0BE, 0x3FED_0BEC_6A16_8746),
        (0x4016_3C5A_B66B_09F0, 0xBFE5_33C7_1918_0E10, 0x3FE7_F7CD_DED1_B67A),
        (0x4010_E1AE_F081_3E26, 0xBFEC_345D_5951_67E2, 0xBFDE_3B8F_6FC2_8475),
        (0xC00F_59E5_EE1D_0148, 0x3FE6_7189_7173_6F64, 0xBFE6_CF52_2DCF_F7F5),
        (0xBFB2_B2A8_7A63_2180, 0xBFB2_AE67_4583_2AB6, 0x3FEF_EA28_B67E_672B),
        (0xBFE9_DC4E_A1C6_BBF0, 0xBFE7_22DC_6F72_2EC6, 0x3FE6_1B61_4020_9174),
        (0x4003_6766_0612_E768, 0x3FE5_01A6_7F33_2225, 0xBFE8_23C8_E9E3_B699),
        (0x4012_7A71_81AD_FCC8, 0xBFEF_DCBD_5301_BB33, 0xBFB7_BA04_912F_0A88),
        (0xC019_FE34_5C18_DE9C, 0xBFCB_50EE_5BF5_E9E1, 0x3FEF_4348_90F6_96EF),
        (0xC01E_2F8E_10DA_7C9A, 0xBFEE_7FA3_33F0_9F5A, 0x3FD3_5FB3_A953_2EBC),
        (0x4015_7D2C_EB1E_5414, 0xBFE9_485B_30F4_B115, 0x3FE3_9DB3_26F9_54CD),
        (0xBFF1_362D_6C8F_DE38, 0xBFEC_286E_FC20_E438, 0x3FDE_67EB_583C_BE69),
        (0x4130_C932_6623_238A, 0xBFD4_63D1_3A6C_2915, 0xBFEE_5521_3AB7_2488),
        (0xC13F_DD7E_926E_EF2E, 0xBFEF_8E94_6DEC_FC1C, 0x3FC5_39D6_9702_92A6),
        (0xC10B_F635_AEF4_70B0, 0xBFCD_C501_052F_644A, 0xBFEF_1F5D_1481_1E11),
        (0x412C_5B6C_7CD4_47E0, 0xBFEF_D21C_76B4_BC2F, 0x3FBB_0EFC_7B36_4050),
        (0xC131_5BF5_B345_515A, 0xBFEE_FDAE_B08F_F52A, 0x3FCF_E3DE_9A39_E5A1),
        (0x413C_7F50_A8D1_5C78, 0xBFE6_636F_6B9B_8501, 0x3FE6_DD29_A9C3_D3FD),
        (0x4139_B0FC_CA8A_188C, 0xBFDD_B6A0_886B_01C8, 0xBFEC_5798_84FB_8B6F),
        (0xC13E_0AD0_4FD2_48CA, 0x3FD7_2D75_1F59_B141, 0x3FED_D3ED_5E3B_1D7B),
    ];

    /// How many doubles apart two results are.
    fn apart(a: f64, b: f64) -> u64 {
        let order = |x: f64| if x < 0.0 { -(x.abs().to_bits() as i64) } else { x.to_bits() as i64 };
        order(a).abs_diff(order(b))
    }

    #[test]
    fn both_are_within_one_unit_of_the_true_values() {
        for &(angle, sine, cosine) in EXACT {
            let angle = f64::from_bits(angle);
            let (s, c) = sin_cos(angle);
            assert!(apart(s, f64::from_bits(sine)) <= 1, "sine of {angle}: {s}");
            assert!(apart(c, f64::from_bits(cosine)) <= 1, "cosine of {angle}: {c}");
        }
    }

    #[test]
    fn both_are_near_the_platforms_for_random_angles() {
        let mut random = SplitMix64::new(11);
        for i in 0..200_000 {
            let reach = [1.0, 8.0, 1e3, MAX_ANGLE][i % 4];
            let angle = (random.next_f64() * 2.0 - 1.0) * reach;
            let (s, c) = sin_cos(angle);
            assert!(apart(s, angle.sin()) <= 1, "sine of {angle}: {s}, {}", angle.sin());
            assert!(apart(c, angle.cos()) <= 1, "cosine of {angle}: {c}, {}", angle.cos());
            assert!(s.abs() <= 1.0 && c.abs() <= 1.0);
        }
    }

    #[test]
    fn signs_zeros_and_ends_are_as_stated() {
        assert!(sin_cos(-0.0).0.is_sign_negative());
        for angle in [0.0, 1e-300, 1e-8, 7.45e-9, 0.7, 0.8, 3.0, 1e6] {
            let ((s, c), (ms, mc)) = (sin_cos(angle), sin_cos(-angle));
            assert_eq!((ms, mc), (-s, c));
        }
        assert!(sin_cos(MAX_ANGLE).0.is_finite() && sin_cos(-MAX_ANGLE).1.is_finite());
        for angle in [MAX_ANGLE + 1e-9, f64::NAN, f64::NEG_INFINITY, f64::MAX] {
            assert!(sin_cos(angle).0.is_nan() && sin_cos(angle).1.is_nan());
        }
    }

    #[test]
    fn the_cosine_of_a_slope_is_the_float_nearest() {
        for tenth in 0..900 {
            let degrees = f64::from(tenth) / 10.0;
            assert_eq!(cosine_of_degrees(degrees), degrees.to_radians().cos() as f32, "{degrees}");
        }
        assert!(cosine_of_degrees(90.0).abs() < 1e-15);
        assert_eq!(cosine_of_degrees(0.0), 1.0);
    }
}
