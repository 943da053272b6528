//! A meter on the live bytes of each thread, because no limit of the interpreter sees all of its memory.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which also counts the live bytes of each thread.
struct Meter;

#[global_allocator]
static METER: Meter = Meter;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

/// Bytes that this thread has allocated and not freed; memory handed to other threads is still counted here.
pub fn live_bytes() -> i64 {
    LIVE.with(Cell::get)
}

fn count(bytes: i64) {
    // A thread that is ending may have lost its counter already; then nobody asks any more.
    let _ = LIVE.try_with(|live| live.set(live.get() + bytes));
}

// SAFETY: every call goes to the system's allocator with the arguments as they came; counting touches only a
// thread-local `Cell` with a constant initialiser and no destructor, so it neither allocates nor unwinds.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller keeps `GlobalAlloc`'s contract, which is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as above; the pointer came from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as i64 - layout.size() as i64);
        // SAFETY: as above; the pointer came from the system's allocator.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[cfg(test)]
mod tests {
    use super::live_bytes;

    #[test]
    fn counts_what_lives() {
        let before = live_bytes();
        let block = vec![0_u8; 1 << 20];
        assert!(live_bytes() - before >= 1 << 20);
        drop(block);
        assert!(live_bytes() - before < 1 << 16);
    }
}
