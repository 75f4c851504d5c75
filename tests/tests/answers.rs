//! The committed answers of the generated levels, and what a mesh refuses of random questions.

use navarena_tests::answers::Subject;

#[test]
fn the_generated_levels_answer_as_they_did() {
    for subject in Subject::generated_levels() {
        subject.check().unwrap();
    }
}
