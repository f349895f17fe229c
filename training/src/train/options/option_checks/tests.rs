//! Tests of the checks.

use super::*;

fn refused(change: impl FnOnce(&mut TrainSpec)) -> String {
    let mut spec = TrainSpec::default();
    change(&mut spec);
    spec.plan().expect_err("refused").to_string()
}

#[test]
fn invalid_options_are_refused_with_the_expected_values() {
    assert!(TrainSpec::default().plan().is_ok());
    assert!(TrainSpec::gated().plan().is_ok());
    assert_eq!(refused(|s| s.games = 0), "`games`: must be at least 1, not 0");
    assert_eq!(
        refused(|s| s.alpha = Schedule::Constant(0.0)),
        "`alpha`: must be in 0..1, above 0, not 0"
    );
    assert_eq!(
        refused(|s| s.lambda = Schedule::Constant(1.5)),
        "`lambda`: must be in 0..1, not 1.5"
    );
    assert_eq!(
        refused(|s| s.seed = 1 << 63),
        "`seed`: must be at most 9223372036854775807, not 9223372036854775808"
    );
    assert!(refused(|s| s.eval_at = vec![1, u64::MAX]).starts_with("`eval_at`: must be at most"));
    let beta = refused(|s| s.beta_initial = Some(0.0));
    assert_eq!(beta, "`beta_initial`: must be in 0..10, above 0, not 0");
    let leaves = refused(|s| (s.update, s.method) = (UpdateTiming::Online, Method::TdLeaf));
    assert!(leaves.contains("td or td-directed, not tdleaf"), "{leaves}");
    assert_eq!(refused(|s| s.squash = -1.0), "`squash`: must be in 0..10, not -1");
    assert_eq!(refused(|s| s.epsilon = f32::NAN), "`epsilon`: must be in 0..1, not NaN");
    assert_eq!(refused(|s| s.start_chance = 2.0), "`start_chance`: must be in 0..1, not 2");
    let start = "backgame".parse().expect("a class");
    let recorded = refused(|s| {
        (s.starts, s.source, s.records) = (vec![start], Source::Observe, vec!["games".to_owned()]);
    });
    assert_eq!(recorded, "`starts`: needs games that are played: leave `records` out");
    assert!(
        refused(|s| (s.epsilon, s.ply) = (0.1, Some(Plies::TWO))).contains("self-play at 1-ply")
    );
    assert_eq!(refused(|s| s.ply = Some(Plies::THREE)), "`ply`: must be 1 or 2, not 3");
    let adam = refused(|s| (s.optimizer, s.backprop) = (Optimizer::Adam, Backprop::Extended));
    assert_eq!(adam, "`optimizer`: adam needs `update` offline and `backprop` plain");
    let online = refused(|s| (s.epochs, s.update) = (2, UpdateTiming::Online));
    assert!(online.contains("learned once"), "{online}");
    let kept = refused(|s| (s.epochs, s.replay) = (2, 10));
    assert!(kept.contains("`method` rootstrap"), "{kept}");
    let once = refused(|s| (s.method, s.replay) = (Method::RootStrap, 10));
    assert!(once.contains("`epochs` of 2 or more"), "{once}");
    let much = refused(|s| s.replay = 1_000_001);
    assert_eq!(much, "`replay`: must be at most 1000000, not 1000001");
    let bare = refused(|s| s.widen_races = 8);
    assert!(bare.contains("`widen_races`") && bare.contains("`from`"), "{bare}");
    assert!(refused(|s| (s.from, s.widen) = (Some("x".into()), 1 << 40)).contains("must be 1 to"));
    let nothing = refused(|s| s.specialize = true);
    assert!(nothing.starts_with("`specialize`: needs `from`"), "{nothing}");
    assert!(refused(|s| s.bearoff = true).contains("`method` rootstrap"));
    assert!(refused(|s| s.lookahead_lambda = 0.5).contains("`method` rootstrap"));
    for lambda in [-0.1, 1.1, f32::NAN] {
        let problem = refused(|s| (s.method, s.lookahead_lambda) = (Method::RootStrap, lambda));
        assert!(problem.contains("must be between 0 and 1"), "{problem}");
    }
    let class = nonet_engine::class::Class::of(&nonet_engine::backgammon::Position::START);
    assert!(refused(|s| s.rollout_classes = vec![class]).contains("`method` rootstrap"));
    let alone = refused(|s| (s.method, s.rollout_lambda) = (Method::RootStrap, 0.9));
    assert!(alone.contains("needs `rollout_classes`"), "{alone}");
    let games = refused(|s| (s.method, s.rollout_games) = (Method::RootStrap, 36));
    assert!(games.contains("needs `rollout_classes`"), "{games}");
    let rollouts = |change: fn(&mut TrainSpec)| {
        refused(|s| {
            (s.method, s.rollout_classes, s.rollout_games) = (Method::RootStrap, vec![class], 36);
            change(s);
        })
    };
    assert!(rollouts(|s| s.rollout_games = 1297).contains("must be at most 1296, not 1297"));
    assert!(rollouts(|s| s.rollout_lambda = 0.9).contains("`rollout_games` replaces"));
    assert!(rollouts(|s| s.rollout_weight = 1.5).contains("must be between 0 and 1"));
    let weight = rollouts(|s| (s.rollout_games, s.rollout_weight) = (0, 0.9));
    assert!(weight.contains("needs `rollout_games`"), "{weight}");
    assert!(refused(|s| s.three_ply_above = 0.1).contains("`method` rootstrap"));
    for wrong in [-0.1, 3.1, f32::NAN] {
        let problem = refused(|s| (s.method, s.three_ply_above) = (Method::RootStrap, wrong));
        assert!(problem.contains("must be between 0 and 3 points"), "{problem}");
        let problem = refused(|s| (s.method, s.rollout_lambda) = (Method::RootStrap, wrong));
        assert!(problem.contains("must be between 0 and 1"), "{problem}");
    }
    assert!(
        refused(|s| s.classes =
            vec![nonet_engine::class::Class::of(&nonet_engine::backgammon::Position::START)])
        .contains("`method` rootstrap")
    );
    assert_eq!(
        refused(|s| s.final_games = 5),
        "`final_games`: must be even, not 5: every sequence of dice is played from both seats"
    );
    let pair = refused(|s| s.final_games = 2);
    assert_eq!(pair, "`final_games`: must be 0 or at least 4, not 2: one pair has no error");
    let gate = refused(|s| s.gate_every = 30_000);
    assert!(gate.contains("must be a multiple of `eval_every` 25000, not 30000"), "{gate}");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let drop = refused(|s| (s.method, s.unforeseen) = (Method::RootStrap, Unforeseen::Drop));
    assert!(drop.starts_with("`unforeseen`: drop needs `method` td,"), "{drop}");
    let chance = refused(|s| s.start_chance = 1.0);
    assert_eq!(chance, "`start_chance`: needs `starts`, at which games begin");
    let rolled_out = |learned: &[Class]| TrainSpec {
        method: Method::RootStrap,
        classes: learned.to_vec(),
        rollout_classes: vec![Class::Race],
        ..TrainSpec::default()
    };
    let error = rolled_out(&[Class::Endgame]).plan().expect_err("refused").to_string();
    assert!(error.starts_with("`rollout_classes`: needs a class of `classes`"), "{error}");
    for learned in [Vec::new(), vec![Class::Race], vec![Class::Endgame, Class::Race]] {
        assert!(rolled_out(&learned).plan().is_ok(), "{learned:?}");
    }
    for (field, change) in [
        ("initial", (|s| s.initial = 0.2) as fn(&mut TrainSpec)),
        ("beta_initial", |s| s.beta_initial = Some(3.0)),
    ] {
        let error = refused(|s| {
            s.from = Some("a.nonet".to_owned());
            change(s);
        });
        assert!(error.starts_with(&format!("`{field}`: is for random weights")), "{error}");
    }
}

#[test]
fn an_architecture_is_given_or_that_of_the_start_which_a_file_of_a_run_repeats() {
    let spec = TrainSpec { from: Some("small".to_owned()), ..TrainSpec::default() };
    let error = spec.check_given(|key| key == "preset").expect_err("both").to_string();
    assert_eq!(error, "`preset`: medium is not used: the net of `from` has its own");
    assert_eq!(spec.check_given(|key| key == "from"), Ok(()));
    assert_eq!(TrainSpec::default().check_given(|key| key == "preset"), Ok(()));
    let resumed = spec.with_preset_of_start().expect("a net");
    assert!(resumed.plan().is_ok());
}

#[test]
fn a_schedule_that_no_text_denotes_is_refused() {
    for (lambda, says) in [
        (Schedule::Geometric { from: 0.0, to: 0.5, until: None }, "above 0 around '..'"),
        (Schedule::Geometric { from: 0.5, to: 0.0, until: None }, "above 0 around '..'"),
        (Schedule::Geometric { from: 0.5, to: 0.1, until: Some(0) }, "at least 1 game"),
        (Schedule::Steps(vec![]), "a first value"),
        (Schedule::Steps(vec![(9, 0.5)]), "a first value"),
        (Schedule::Steps(vec![(0, 0.5), (9, 0.4), (9, 0.3)]), "increase"),
    ] {
        let error = refused(|s| s.lambda = lambda);
        assert!(error.starts_with("`lambda`: must have") && error.contains(says), "{error}");
    }
    let falling = Schedule::Steps(vec![(0, 0.5), (9, 0.4)]);
    assert!(TrainSpec { lambda: falling, ..TrainSpec::default() }.plan().is_ok());
}

#[test]
fn plain_td_and_the_own_side_alone_need_games_that_have_them() {
    let own_turn = |s: &mut TrainSpec| s.successor = Successor::OwnTurn;
    let mut spec = TrainSpec::default();
    own_turn(&mut spec);
    assert!(spec.plan().is_ok());
    for (change, says) in [
        ((|s| s.method = Method::TdLeaf) as fn(&mut TrainSpec), "`method` td or td-directed"),
        (|s| s.update = UpdateTiming::Online, "`update` offline"),
        (|s| s.unforeseen = Unforeseen::Drop, "`unforeseen` keep"),
        (
            |s| (s.source, s.records) = (Source::Observe, vec!["a".into()]),
            "recorded games need not",
        ),
    ] {
        let error = refused(|s| {
            own_turn(s);
            change(s);
        });
        assert!(error.contains("`successor`") && error.contains(says), "{error}");
    }
    let alone = refused(|s| s.sides = Sides::Own);
    assert!(alone.contains("`sides`") && alone.contains("`source` expert"), "{alone}");
    let versus = TrainSpec {
        source: Source::Expert,
        expert: Some("x".parse().expect("a player")),
        sides: Sides::Own,
        ..TrainSpec::default()
    };
    assert_eq!(
        versus.plan().expect("a plan").rule().targets,
        TargetRule::Td(Td {
            timing: UpdateTiming::Offline,
            successor: Successor::Turn,
            side: Some(Seat::X),
        })
    );
}

#[test]
fn one_output_learns_where_half_a_value_ranks_plays_alike() {
    let one_output = |s: &mut TrainSpec| {
        (s.outputs, s.all_outcomes) = (LearnedOutputs::Average, true);
        s.preset = "small".parse().expect("a preset");
    };
    let mut spec = TrainSpec::default();
    one_output(&mut spec);
    assert_eq!(spec.plan().expect("a plan").rule().outputs, LearnedOutputs::Average);
    for (change, says) in [
        ((|s| s.method = Method::TdLeaf) as fn(&mut TrainSpec), "`method` td"),
        (|s| s.ply = Some(Plies::TWO), "`ply` and `eval_ply` of 1"),
        (|s| s.eval_ply = Plies::TWO, "`ply` and `eval_ply` of 1"),
        (|s| s.fine_tune = 100, "`fine_tune` 0"),
        (|s| s.all_outcomes = false, "`all_outcomes`"),
        (|s| s.preset = "medium".parse().expect("a preset"), "linear outputs"),
    ] {
        let error = refused(|s| {
            one_output(s);
            change(s);
        });
        assert!(error.contains("`outputs`") && error.contains(says), "{error}");
    }
}

#[test]
fn an_expert_is_required_where_it_is_used_and_refused_elsewhere() {
    let named = |word: &str| Some(word.parse().expect("a player"));
    assert!(refused(|s| s.source = Source::Expert).contains("`source`: expert needs an expert"));
    assert!(refused(|s| s.targets = Targets::Expert).contains("`targets`: expert needs an expert"));
    assert!(refused(|s| s.expert = named("x")).contains("is not used"));
    for word in ["pubeval", "x:2", "champion:3"] {
        let error = refused(|s| (s.expert, s.targets) = (named(word), Targets::Expert));
        assert!(error.starts_with("`expert`: "), "{error}");
    }
    let spec =
        TrainSpec { source: Source::Expert, expert: named("gnubg:2"), ..TrainSpec::default() };
    let plan = spec.plan().expect("a plan");
    assert!(
        matches!(plan.games(), Games::Versus { plies: Plies::ONE, .. }) && !plan.learns_expert()
    );
}

#[test]
fn games_to_observe_come_from_one_place() {
    let error = refused(|s| s.source = Source::Observe);
    assert!(error.contains("`records`") && error.contains("`expert`"), "{error}");
    let watch = |s: &mut TrainSpec| {
        s.source = Source::Observe;
        s.records = vec!["a".into()];
    };
    let mut spec = TrainSpec::default();
    watch(&mut spec);
    assert!(
        spec.to_command_line().starts_with("nonet train --source observe --records a --preset")
    );
    assert!(matches!(spec.plan().expect("a plan").games(), Games::Records { .. }));
    for (change, says) in [
        (
            (|s| s.expert = Some("x".parse().expect("a player"))) as fn(&mut TrainSpec),
            "is not used by this run",
        ),
        (|s| s.targets = Targets::Expert, "`targets`: expert needs an expert"),
        (|s| s.source = Source::SelfPlay, "`records`: needs `source` observe, not selfplay"),
        (|s| s.records.push("-".into()), "cannot combine '-'"),
        (
            |s| {
                s.records = vec![];
                s.expert = Some("x".parse().expect("a player"));
                s.unfinished = Some(crate::train::Unfinished::Agreed);
            },
            "`unfinished`: needs recorded games",
        ),
    ] {
        let error = refused(|s| {
            watch(s);
            change(s);
        });
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_spec_is_read_back_from_its_file_and_unknown_names_are_refused() {
    let spec = TrainSpec {
        alpha: Schedule::Geometric { from: 0.1, to: 0.003, until: None },
        method: Method::RootStrap,
        ply: Some(Plies::TWO),
        ..TrainSpec::default()
    };
    let text = toml::to_string(&spec).expect("toml");
    assert_eq!(toml::from_str::<TrainSpec>(&text).expect("a spec"), spec);
    for (text, says) in [
        ("preset = \"huge\"", "expected one of large, small, hidden80"),
        ("optimizer = \"x\"", "expected one of `sgd`, `batch`, `adam`"),
        ("unfinished = \"so\"", "`agreed`, `bootstrap`"),
        ("classes = [\"sprint\"]", "unknown class 'sprint': expected one of endgame"),
        ("gaems = 3", "gaems"),
    ] {
        let error = toml::from_str::<TrainSpec>(text).expect_err(text).to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_run_folder_of_an_earlier_version_gives_the_same_plan() {
    let old = "source = \"selfplay\"\ntargets = \"own\"\nmethod = \"lookahead\"\nexplore = 0.1\n\
        update = \"offline\"\nbackprop = \"plain\"\nbeta_alpha = 0.01\nsquash = 0.0\nsurprises = \"keep\"\n\
        preset = \"swift\"\nendings = true\nclasses = [\"race\"]\ngames = 60\nalpha = \"0.003..0.001\"\n\
        lambda = \"0.6\"\nseed = 9\nbatch = 20\nepochs = 3\nmemory = 500\noptimizer = \"adam\"\n\
        average = 100000\neval_every = 60\neval_at = [100, 1000, 5000]\neval_games = 20\neval_ply = 1\n\
        against = \"pubeval\"\nrung = 0\n";
    let spec: TrainSpec = toml::from_str(old).expect("readable");
    let now = "nonet train --method rootstrap --epsilon 0.1 --preset swift --bearoff --classes race --games 60 \
        --alpha 0.003..0.001 --seed 9 --batch 20 --epochs 3 --replay 500 --optimizer adam --eval-every 60 \
        --eval-at 100,1000,5000 --eval-games 20";
    assert_eq!(spec.to_command_line(), now);
    let plan = spec.plan().expect("a plan");
    let root_strap =
        RootStrap { classes: chosen(&[Class::Race]), rollout_lambda: 1.0, ..RootStrap::default() };
    let steps = OfflineSteps { epochs: 3, optimizer: Optimizer::Adam };
    let expected = Rule { steps, ..Rule::of(TargetRule::RootStrap(root_strap)) };
    assert_eq!(*plan.rule(), expected);
    assert_eq!((plan.replay(0), plan.needs_bearoff()), (Some(500), true));
}
