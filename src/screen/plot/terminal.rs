//! Plots in text characters: blocks of single width. They are drawn in files too.

/// Blocks that fill a character from below, by eighths.
const RISING: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A sparkline of counts: `▁▂▅█▆▃▁`. Zero is a blank. If there are more counts than columns, neighbours are added up.
pub fn sparkline(counts: &[u64], columns: usize) -> String {
    let each = counts.len().div_ceil(columns.max(1)).max(1);
    let counts: Vec<u64> =
        counts.chunks(each).map(|part| part.iter().fold(0u64, |sum, count| sum.saturating_add(*count))).collect();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let block = |count: u64| match count {
        0 => ' ',
        count => {
            let eighths = (u128::from(count) * 8).div_ceil(u128::from(most)) as usize;
            RISING.get(eighths.saturating_sub(1)).copied().unwrap_or('█')
        }
    };
    counts.into_iter().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_blocks_shows_how_often() {
        assert_eq!(sparkline(&[0, 1, 4, 8, 16, 15], 10), " ▁▂▄██");
        assert_eq!(sparkline(&[1, 1, 2, 2], 2), "▄█");
        assert_eq!(sparkline(&[], 5), "");
        assert_eq!(sparkline(&[u64::MAX, 1, 0], 5), "█▁ ");
        assert_eq!(sparkline(&[3, 3], 0), "█");
        assert_eq!(sparkline(&[1, 1, 4, 4, 1], 3), "▂█▁");
    }
}
