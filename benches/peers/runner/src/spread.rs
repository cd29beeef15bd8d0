//! The least, the middle and the most of some figures.

/// How figures of several rounds are spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) least: f64,
    pub(crate) median: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// Of at least one figure.
    pub(crate) fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_unstable_by(f64::total_cmp);
        let (low, high) = ((figures.len() - 1) / 2, figures.len() / 2);
        let [least, .., most] = figures[..] else {
            return Self { least: figures[0], median: figures[0], most: figures[0] };
        };
        Self { least, median: f64::midpoint(figures[low], figures[high]), most }
    }
}

/// With three digits or more, and thousands apart.
pub(crate) fn figure(value: f64) -> String {
    match value.abs() {
        small if small < 9.995 => format!("{value:.2}"),
        middle if middle < 99.95 => format!("{value:.1}"),
        _ => apart(&format!("{value:.0}")),
    }
}

/// With thousands apart.
pub(crate) fn whole(value: u64) -> String {
    apart(&value.to_string())
}

fn apart(digits: &str) -> String {
    let comma = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let each = digits.char_indices();
    each.flat_map(|(at, digit)| comma(at).then_some(',').into_iter().chain([digit])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let spread = |figures: &[f64]| Spread::of(figures.to_vec());
        assert_eq!(spread(&[5.0]), Spread { least: 5.0, median: 5.0, most: 5.0 });
        assert_eq!(spread(&[9.0, 1.0, 2.0]), Spread { least: 1.0, median: 2.0, most: 9.0 });
        assert_eq!(spread(&[4.0, 1.0, 9.0, 2.0]), Spread { least: 1.0, median: 3.0, most: 9.0 });
    }

    #[test]
    fn figures_have_three_digits_or_more() {
        let shown = [0.284, 9.999, 42.12, 731.4, 27_739.04, 1_234_567.0].map(figure);
        assert_eq!(shown, ["0.28", "10.0", "42.1", "731", "27,739", "1,234,567"]);
    }
}
