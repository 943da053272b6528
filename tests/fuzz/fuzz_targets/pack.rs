#![no_main]

use houserule_fuzz::targets::pack::TARGET;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
