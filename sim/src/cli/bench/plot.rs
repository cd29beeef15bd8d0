//! Level 6. The plot of `sim bench`: answers and refusals against the number of clients, as SVG.
//!
//! A column for each backend, a row for each figure, a line for each store; a store that was wrong has
//! a thin line. It is drawn in floats and decides nothing; coordinates are whole pixels.

use super::{Benched, Crowds};
use crate::search::cost::Cost;
use crate::time::Span;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Pixels of a panel, of the legend beside them, and of the title above.
const PANEL: (u32, u32) = (480, 300);
const LEGEND: u32 = 240;
const TITLE: u32 = 40;

/// Told apart by people who see colours differently (Okabe and Ito); then the same, with rings for dots.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 140, 0),
];

/// What a row of panels shows.
#[derive(Clone, Copy)]
enum Figure {
    Half,
    Slowest,
    Refused,
}

impl Figure {
    const ALL: [Self; 3] = [Self::Half, Self::Slowest, Self::Refused];

    const fn title(self) -> &'static str {
        match self {
            Self::Half => "answer p50, ms",
            Self::Slowest => "answer p99, ms",
            Self::Refused => "refusals an operation",
        }
    }

    fn of(self, cost: &Cost) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a pixel is coarser")]
        let millis = |span: Span| span.as_micros() as f64 / 1_000.0;
        match self {
            Self::Half => cost.latency.percentile(50).map(millis),
            Self::Slowest => cost.latency.percentile(99).map(millis),
            #[expect(clippy::cast_precision_loss, reason = "a pixel is coarser")]
            Self::Refused => Some(cost.refusals as f64 / cost.operations.max(1) as f64),
        }
    }

    /// Latencies are drawn by their powers of ten.
    const fn is_logarithmic(self) -> bool {
        !matches!(self, Self::Refused)
    }
}

/// Draws it.
pub(super) fn svg(benched: &Benched) -> String {
    let mut text = String::new();
    let width = PANEL.0 * u32::try_from(benched.crowds.len()).unwrap_or(1) + LEGEND;
    let height = PANEL.1 * 3 + TITLE;
    let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
    draw(benched, &area).expect("text can be written to a string");
    drop(area);
    text
}

fn draw(benched: &Benched, area: &Area<'_>) -> Drawn {
    area.fill(&WHITE)?;
    let title = format!("{}: what stores cost in a crowd", benched.scenario.name);
    let (head, rest) = area.split_vertically(TITLE);
    head.draw(&Text::new(title, (16, 12), ("sans-serif", 20)))?;
    let panels = PANEL.0 * u32::try_from(benched.crowds.len()).unwrap_or(1);
    let (panels, side) = rest.split_horizontally(panels);
    legend(benched, &side)?;
    let columns = panels.split_evenly((1, benched.crowds.len().max(1)));
    for (crowds, column) in benched.crowds.iter().zip(&columns) {
        for (figure, panel) in Figure::ALL.into_iter().zip(column.split_evenly((3, 1))) {
            draw_panel(benched, crowds, figure, &panel)?;
        }
    }
    Ok(())
}

fn draw_panel(benched: &Benched, crowds: &Crowds, figure: Figure, panel: &Area<'_>) -> Drawn {
    let all =
        || benched.crowds.iter().flat_map(|crowds| crowds.stores.iter()).flat_map(|one| &one.1);
    let seen: Vec<f64> = all().filter_map(|cost| figure.of(cost)).collect();
    let most = seen.iter().copied().fold(0.0, f64::max);
    let clients = |at: Option<&u16>| f64::from(at.copied().unwrap_or(1));
    let (few, many) = (clients(crowds.clients.first()), clients(crowds.clients.last()));
    let x = (few * 0.8..many.max(few + 1.0) * 1.25).log_scale();
    let mut builder = ChartBuilder::on(panel);
    builder
        .caption(format!("{}, on {}", figure.title(), crowds.backend.name()), ("sans-serif", 15))
        .margin(10)
        .x_label_area_size(34)
        .y_label_area_size(52);
    if figure.is_logarithmic() {
        let least = seen.iter().copied().filter(|seen| *seen > 0.0).fold(most, f64::min);
        let y = (least * 0.8..most.max(1.0) * 1.25).log_scale();
        lines(benched, crowds, figure, builder.build_cartesian_2d(x, y)?)
    } else {
        lines(benched, crowds, figure, builder.build_cartesian_2d(x, 0.0..most.max(0.1) * 1.1)?)
    }
}

fn lines<X, Y>(
    benched: &Benched,
    crowds: &Crowds,
    figure: Figure,
    mut chart: ChartContext<'_, SVGBackend<'_>, Cartesian2d<X, Y>>,
) -> Drawn
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc("clients at once")
        .x_label_formatter(&|clients| format!("{clients:.0}"))
        .y_label_formatter(&|value| plain(*value))
        .draw()?;
    for (at, (store, costs)) in crowds.stores.iter().enumerate() {
        let points = crowds.clients.iter().zip(costs);
        let points: Vec<(f64, f64)> = points
            .filter_map(|(clients, cost)| Some((f64::from(*clients), figure.of(cost)?)))
            .collect();
        let style = style_of(benched, at, store.name);
        chart.draw_series(LineSeries::new(points.clone(), style))?;
        for (size, fill) in dot(at, style) {
            chart.draw_series(points.iter().map(|point| Circle::new(*point, size, fill)))?;
        }
    }
    Ok(())
}

fn legend(benched: &Benched, side: &Area<'_>) -> Drawn {
    for (at, measured) in benched.stores.iter().enumerate() {
        let y = 20 + 20 * i32::try_from(at).unwrap_or(i32::MAX / 40);
        let style = style_of(benched, at, measured.store.name);
        side.draw(&PathElement::new(vec![(8, y), (34, y)], style))?;
        for (size, fill) in dot(at, style) {
            side.draw(&Circle::new((21, y), size, fill))?;
        }
        let wrong = if measured.cost.wrong > 0 { " (wrong)" } else { "" };
        let name = format!("{}{wrong}", measured.store.name);
        side.draw(&Text::new(name, (42, y - 6), ("sans-serif", 13)))?;
    }
    Ok(())
}

/// A store that was wrong has a thin line.
fn style_of(benched: &Benched, at: usize, store: &str) -> ShapeStyle {
    let wrong = benched.stores.iter().any(|one| one.store.name == store && one.cost.wrong > 0);
    COLOURS[at % COLOURS.len()].stroke_width(if wrong { 1 } else { 2 })
}

/// What its points are drawn of: full dots, and rings where there are more stores than colours.
fn dot(at: usize, line: ShapeStyle) -> Vec<(i32, ShapeStyle)> {
    let full = (3, line.color.filled());
    let hole = (2, WHITE.to_rgba().filled());
    if (at / COLOURS.len()).is_multiple_of(2) { vec![full] } else { vec![(4, full.1), hole] }
}

/// With no more digits than say something.
fn plain(value: f64) -> String {
    if value >= 10.0 || value == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}
