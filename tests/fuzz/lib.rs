//! The targets, for the programs that look for inputs. `tests/fuzz.rs` has the same ones.

#[allow(dead_code, reason = "tests need more of it")]
#[path = "../shared"]
mod shared {
    pub mod hostile_files;
    pub mod programs;
}
pub mod targets;
