//! Quantiles and distribution functions, based on the `libm` crate, whose logarithms and exponentials are the same on
//! every platform.

/// The quantile at which the upper tail of the standard normal distribution is `tail`, at most a half.
pub fn normal_quantile(tail: f64) -> f64 {
    root(0.0, 40.0, |z| libm::erfc(z / std::f64::consts::SQRT_2) / 2.0 <= tail)
}

/// The quantile at which the upper tail of Student's t distribution is `tail`, at most a half; with at least one degree
/// of freedom.
pub fn t_quantile(tail: f64, freedom: f64) -> f64 {
    let z = normal_quantile(tail);
    if freedom > 1e4 {
        // Abramowitz & Stegun 26.7.5; the error is of the order z¹¹/ν⁵.
        let (square, part) = (z * z, 1.0 / freedom);
        let first = (square + 1.0) / 4.0;
        let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
        let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
        let fourth = ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92160.0;
        return z * (1.0 + part * (first + part * (second + part * (third + part * fourth))));
    }
    let is_beyond = |t: f64| beta_share(freedom / (freedom + t * t), freedom / 2.0, 0.5) / 2.0 <= tail;
    let mut above = z.max(1.0);
    while !is_beyond(above) && above < 1e300 {
        above *= 2.0;
    }
    root(0.0, above, is_beyond)
}

/// The probability of at most `successes` in `trials` trials, each with the given probability.
pub fn binomial_at_most(successes: u64, trials: u64, probability: f64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    beta_share(1.0 - probability, (trials - successes) as f64, successes as f64 + 1.0)
}

/// The logarithm of the beta function.
pub fn ln_beta(a: f64, b: f64) -> f64 {
    libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b)
}

/// The regularized incomplete beta function Iₓ(a, b), by its continued fraction (DLMF 8.17.22, evaluated by Lentz's
/// method), which converges fast below the mean; above it I₁₋ₓ(b, a) is taken.
pub fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share_below(1.0 - x, b, a);
    }
    beta_share_below(x, a, b)
}

fn beta_share_below(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - ln_beta(a, b)) / a;
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    // It converges in about √max(a, b) steps.
    let most = 100 + 10 * a.max(b).sqrt() as u32;
    for step in 1..=most {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        let change = d * c;
        fraction *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// The point at which a monotonic condition begins to hold, between `below`, where it does not, and `above`, where it
/// does; to 14 digits. It holds at the result.
pub fn root(mut below: f64, mut above: f64, holds: impl Fn(f64) -> bool) -> f64 {
    while (above - below).abs() > 1e-14 * above.abs().max(below.abs()) {
        let middle = below + (above - below) / 2.0;
        if middle == below || middle == above {
            break;
        }
        if holds(middle) {
            above = middle;
        } else {
            below = middle;
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(value: f64, expected: f64, relative: f64) {
        assert!((value / expected - 1.0).abs() < relative, "{value}, expected {expected}");
    }

    // Reference values are from SciPy 1.17.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        near(normal_quantile(0.025), 1.959963984540054, 1e-14);
        near(normal_quantile(1e-9), 5.99780701500768, 1e-13);
        assert!(normal_quantile(0.5).abs() < 1e-15);
        for (tail, freedom, expected) in T_QUANTILES {
            near(t_quantile(tail, freedom), expected, 1e-10);
        }
    }

    const T_QUANTILES: [(f64, f64, f64); 11] = [
        (0.025, 1.0, 12.706204736174705),
        (0.025, 2.0, 4.302652729749464),
        (0.025, 4.7, 2.6207260753531707),
        (0.025, 30.0, 2.042272456301238),
        (0.005, 9.0, 3.2498355415921263),
        (1e-9, 1.0, 318309886.1837907),
        (1e-6, 3.0, 103.29946778041935),
        (0.025, 9999.0, 1.9602012636213577),
        (0.025, 10001.0, 1.9602012161646414),
        (0.0005, 1e5, 3.290624031411883),
        (0.025, 1e9, 1.9599639869123253),
    ];

    #[test]
    fn binomial_distributions_are_those_of_the_tables() {
        for (successes, trials, probability, expected, relative) in [
            (0, 10, 0.1, 0.34867844009999993, 1e-13),
            (3, 10, 0.5, 0.171875, 1e-13),
            (499, 1000, 0.5, 0.48738749091081973, 1e-11),
            (90, 1000, 0.1, 0.15823814139344086, 1e-11),
            (5, 2000, 0.01, 6.787349452355955e-5, 1e-10),
            (499_000, 1_000_000, 0.5, 0.0228041499326948, 1e-8),
            (100_010_000, 1_000_000_000, 0.1, 0.8540914331952238, 1e-5),
        ] {
            near(binomial_at_most(successes, trials, probability), expected, relative);
        }
        assert_eq!(binomial_at_most(10, 10, 0.5), 1.0);
    }
}
