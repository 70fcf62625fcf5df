package dev.waybill.proof.run;

import dev.waybill.proof.cast.Broker;
import dev.waybill.proof.cast.Cast;
import dev.waybill.proof.cast.Jvm;
import dev.waybill.proof.cast.Member;
import dev.waybill.proof.check.Checker;
import dev.waybill.proof.check.Finding;
import dev.waybill.proof.check.Stalls;
import dev.waybill.proof.check.Witness;
import dev.waybill.proof.database.GivenServer;
import dev.waybill.proof.database.ServerPair;
import dev.waybill.proof.database.Servers;
import dev.waybill.proof.nemesis.Nemeses;
import dev.waybill.proof.nemesis.Nemesis;
import dev.waybill.proof.nemesis.Schedule;
import dev.waybill.proof.nemesis.Stage;
import dev.waybill.proof.timeline.Timeline;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run: the cast plays, nemeses strike, all calms down, and the checker judges. */
public final class ProofRun {
    private static final long QUIET_MILLIS = 2_500;

    private final RunSettings settings;
    private final Timeline timeline;
    private final List<Witness> witnesses = new ArrayList<>();

    public ProofRun(RunSettings settings, Timeline timeline) {
        this.settings = settings;
        this.timeline = timeline;
    }

    /** Runs to the verdict. */
    public Verdict run() throws SQLException, IOException, InterruptedException {
        timeline.say("starting PostgreSQL with a standby, and the broker");
        var jvm = new Jvm(settings.place().folder());
        try (Servers servers = settings.place().jdbcUrl().isPresent()
                        ? GivenServer.at(settings.place().jdbcUrl().get())
                        : ServerPair.start();
                var cast = new Cast(jvm, servers, new Broker(jvm), terms());
                var watch = new Watch(servers, timeline)) {
            observe(cast);
            fill(cast);
            watch.start();
            var stage = new Stage(cast, servers, () -> observe(cast));
            play(stage, watch);
            timeline.say("calm: waiting for what is under way");
            awaitRest(cast, watch, servers);
            return judge(cast, servers, stage, watch);
        }
    }

    private Map<String, String> terms() {
        return Map.of(
                "seed", String.valueOf(settings.seed()),
                "sessions", String.valueOf(settings.sessions()),
                "messages", String.valueOf(settings.messages()),
                "ledger-batch", String.valueOf(settings.ledgerBatch()),
                "lots", String.valueOf(settings.lots()),
                "backlog", String.valueOf(settings.backlog()),
                "long-seconds", String.valueOf(settings.longTransaction().toSeconds()));
    }

    private void fill(Cast cast) {
        for (int i = 0; i < settings.size().relays(); i++) {
            cast.add("relay");
        }
        for (int i = 0; i < settings.size().consumers(); i++) {
            cast.add("consumer");
        }
        cast.add("operator");
        cast.add("writer");
        cast.members().forEach(Member::start);
    }

    private void observe(Cast cast) {
        witnesses.forEach(Witness::end);
        witnesses.add(new Witness(
                cast.directServiceBus(), cast.broker().life(), settings.place().folder()));
    }

    private void play(Stage stage, Watch watch) throws InterruptedException {
        awaitEffects(watch, 1);
        var schedule = new Schedule<Timeline.Strike>(
                stage,
                nemeses(),
                settings.seed(),
                new Schedule.Fronts(settings.size().fronts(), settings.longestRest()),
                timeline::begin,
                timeline::end);
        awaitWritten(watch);
        stage.calmDown();
        schedule.awaitEnd();
        // Whose open transactions commit with its stop.
        stage.cast().members("writer").forEach(Member::stop);
        stage.cast().members("operator").forEach(Member::start);
        stage.cast().members("relay").get(0).start();
        stage.cast().members("consumer").get(0).start();
    }

    // A trouble before the first effect would only delay the start.
    private void awaitEffects(Watch watch, long effects) throws InterruptedException {
        while (timeline.now() < settings.patience().toMillis()) {
            var sample = watch.last();
            if (sample != null && sample.effects() >= effects) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private List<Nemesis> nemeses() {
        List<Nemesis> asked = Nemeses.named(settings.nemeses());
        if (settings.place().jdbcUrl().isEmpty()) {
            return asked;
        }
        asked.stream()
                .filter(Nemesis::needsOwnDatabase)
                .forEach(nemesis -> timeline.say(nemesis.name() + " is left out: the database is the user's"));
        return asked.stream().filter(nemesis -> !nemesis.needsOwnDatabase()).toList();
    }

    private void awaitWritten(Watch watch) throws InterruptedException {
        long movedAt = timeline.now();
        long seen = -1;
        while (timeline.now() - movedAt < 3 * settings.patience().toMillis()) {
            var sample = watch.last();
            if (sample != null && sample.written() >= settings.messages()) {
                return;
            }
            if (sample != null && sample.written() + sample.effects() != seen) {
                seen = sample.written() + sample.effects();
                movedAt = timeline.now();
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    private void awaitRest(Cast cast, Watch watch, Servers servers) throws InterruptedException, SQLException {
        long movedAt = timeline.now();
        Object seen = "";
        while (timeline.now() - movedAt < settings.patience().toMillis()) {
            var sample = watch.last();
            if (sample == null) {
                continue;
            }
            var state = List.of(sample.written(), sample.effects(), sample.pending());
            if (!state.equals(seen)) {
                seen = state;
                movedAt = timeline.now();
            }
            boolean done = sample.pending() == 0 && sample.ledger() >= sample.written();
            if (done && timeline.now() - movedAt > QUIET_MILLIS && isFinished(servers)) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
        timeline.say("nothing has moved for " + settings.patience().toSeconds()
                + " s: see the stacks and the sessions in the logs");
        cast.broker().tell("report");
        cast.members("consumer").forEach(Member::dumpThreads);
    }

    private static boolean isFinished(Servers servers) throws SQLException {
        try (var connection = servers.connect()) {
            return Checker.isFinished(connection);
        }
    }

    // Else a run that has come to a halt would hold.
    private Finding written(Watch watch) {
        var sample = watch.last();
        long missing = settings.messages() - (sample == null ? 0 : sample.written());
        return new Finding(
                "as many messages were committed as asked for",
                Math.max(0, missing),
                missing > 0 ? List.of(missing + " are missing") : List.of());
    }

    private Verdict judge(Cast cast, Servers servers, Stage stage, Watch watch)
            throws SQLException, IOException, InterruptedException {
        cast.members().forEach(Member::stop);
        timeline.say("judging");
        for (Witness witness : witnesses) {
            witness.close();
        }
        try (var connection = servers.connect()) {
            var checker = new Checker(connection, stage.promotionsWithLoss() > 0);
            for (Witness witness : witnesses) {
                checker.load(witness.file());
            }
            var findings = new ArrayList<Finding>(checker.check());
            findings.add(new Finding(
                    "all money was there at each of " + watch.looks() + " looks",
                    watch.wrongSums().size(),
                    watch.wrongSums()));
            findings.add(written(watch));
            findings.add(Stalls.find(timeline.samples(), timeline.strikes()));
            return new Verdict(settings, List.copyOf(findings), timeline);
        }
    }
}
