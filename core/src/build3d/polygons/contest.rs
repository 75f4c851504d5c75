//! A contest: the best of many keys, kept up to date as keys change.

/// A tournament over keys, of which the smallest wins, and of equal ones the lowest index.
///
/// A change costs one comparison for each round; the winner is known at once.
pub(super) struct Contest<'t> {
    keys: &'t mut [u64],
    /// Winners from the top down: the winner of node `n` is the better of nodes `2n` and `2n + 1`; contestants that do not
    /// exist are `u32::MAX`.
    winners: &'t mut [u32],
    rounds: usize,
}

/// The key of a contestant that is out.
pub(super) const OUT: u64 = u64::MAX;

impl<'t> Contest<'t> {
    /// How many winners a contest of `count` keeps.
    pub fn winners_for(count: usize) -> usize {
        2 * count.max(1).next_power_of_two()
    }

    /// A contest in which everyone is out. Both arrays may be longer than needed.
    pub fn new(count: usize, keys: &'t mut [u64], winners: &'t mut [u32]) -> Self {
        let keys = &mut keys[..count];
        let winners = &mut winners[..Self::winners_for(count)];
        let rounds = winners.len() / 2;
        keys.fill(OUT);
        for (index, winner) in winners[rounds..].iter_mut().enumerate() {
            *winner = if index < count { index as u32 } else { u32::MAX };
        }
        // Everyone ties: the lowest index of each side wins.
        for node in (1..rounds).rev() {
            winners[node] = winners[2 * node];
        }
        Contest { keys, winners, rounds }
    }

    /// Changes a key.
    pub fn set(&mut self, index: usize, key: u64) {
        if self.keys[index] == key {
            return;
        }
        self.keys[index] = key;
        let mut node = (self.rounds + index) / 2;
        while node > 0 {
            let (left, right) = (self.winners[2 * node], self.winners[2 * node + 1]);
            // The left side holds the lower indices, so it wins ties.
            let right_wins = right != u32::MAX && self.keys[right as usize] < self.keys[left as usize];
            self.winners[node] = if right_wins { right } else { left };
            node /= 2;
        }
    }

    /// The winner, unless everyone is out.
    pub fn winner(&self) -> Option<usize> {
        let winner = self.winners[1] as usize;
        self.keys.get(winner).is_some_and(|&key| key != OUT).then_some(winner)
    }

    /// Whether a contestant takes part.
    pub fn is_in(&self, index: usize) -> bool {
        self.keys[index] != OUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build3d::test_fields::Dice;
    use std::vec;

    #[test]
    fn the_winner_is_the_smallest_key_at_the_lowest_index() {
        let mut dice = Dice(1);
        for count in [0usize, 1, 2, 3, 5, 8, 13] {
            let (mut keys, mut winners) = (vec![7; 20], vec![9; 40]);
            let mut contest = Contest::new(count, &mut keys, &mut winners);
            let mut plain = vec![OUT; count];
            assert_eq!(contest.winner(), None);
            for _ in 0..100 * count {
                let index = dice.roll(count as u32) as usize;
                plain[index] = if dice.roll(3) == 0 { OUT } else { u64::from(dice.roll(5)) };
                contest.set(index, plain[index]);
                let want = (0..count).filter(|&i| plain[i] != OUT).min_by_key(|&i| (plain[i], i));
                assert_eq!(contest.winner(), want);
            }
        }
    }
}
