//! The hot path, piece by piece; all answers are checked before they are timed. `cargo bench` runs
//! them.

use divan::Bencher;
use divan::counter::ItemsCount;
use nonet::speed_workload::{MEASURES, Workload, verify};

fn main() {
    // One thread, so that the figures are those of one core.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    verify();
    divan::main();
}

#[divan::bench(args = MEASURES.iter().map(|measure| measure.name))]
fn pieces(bencher: Bencher, name: &str) {
    let Some(measure) = MEASURES.iter().find(|measure| measure.name == name) else { return };
    let mut workload = Workload::new(1_000);
    let units = (measure.work)(&mut workload);
    bencher.counter(ItemsCount::new(units)).bench_local(|| (measure.work)(&mut workload));
}
