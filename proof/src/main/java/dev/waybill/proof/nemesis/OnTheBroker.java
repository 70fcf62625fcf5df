package dev.waybill.proof.nemesis;

import dev.waybill.proof.database.Replay;
import dev.waybill.proof.role.BrokerFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** What befalls the broker, and what it does. */
final class OnTheBroker {
    static final List<Nemesis> NEMESES = nemeses();

    private static final Duration BETWEEN_LOSSES = Duration.ofSeconds(20);

    private OnTheBroker() {}

    private static List<Nemesis> nemeses() {
        var nemeses = new ArrayList<Nemesis>();
        for (BrokerFault fault : BrokerFault.values()) {
            String name = "broker-" + fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
            nemeses.add(new Nemesis(name, (stage, random) -> doWrong(stage, random, fault)));
        }
        nemeses.add(alone("broker-away", OnTheBroker::suspend));
        nemeses.add(alone("broker-frozen-locks", OnTheBroker::expire));
        nemeses.add(alone("namespace-lost", OnTheBroker::lose));
        return List.copyOf(nemeses);
    }

    private static Nemesis alone(String name, Nemesis.Strike strike) {
        return new Nemesis(name, (stage, random) -> {
            stage.namespace().lockInterruptibly();
            try {
                return stage.isCalm() ? "too late" : strike.on(stage, random);
            } finally {
                stage.namespace().unlock();
            }
        });
    }

    private static String doWrong(Stage stage, SplittableRandom random, BrokerFault fault) throws InterruptedException {
        stage.namespace().lockInterruptibly();
        try {
            stage.cast().broker().tell("fault " + fault.name());
            stage.last(Duration.ofMillis(random.nextInt(500, 6_000)));
            stage.cast().broker().tell("calm " + fault.name());
        } finally {
            stage.namespace().unlock();
        }
        return "";
    }

    private static String suspend(Stage stage, SplittableRandom random) throws InterruptedException {
        stage.cast().broker().tell("suspend");
        stage.last(Duration.ofSeconds(random.nextInt(1, 15)));
        stage.cast().broker().tell("resume");
        return "";
    }

    private static String expire(Stage stage, SplittableRandom random) {
        stage.cast().broker().tell("expire");
        return "";
    }

    // As the runbook says: pause, lead the alias to the new namespace, send again what is retained, resume.
    private static String lose(Stage stage, SplittableRandom random) throws Exception {
        long again;
        stage.database().lockInterruptibly();
        try {
            stage.cast().broker().lose();
            again = Replay.intoNewNamespace(stage.servers(), () -> {
                stage.cast().followNamespace();
                stage.namespaceIsNew();
            });
        } finally {
            stage.database().unlock();
        }
        // Else consumers get nothing done before the next loss.
        stage.last(BETWEEN_LOSSES);
        return again + " messages sent again";
    }
}
