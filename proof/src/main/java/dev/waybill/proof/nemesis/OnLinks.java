package dev.waybill.proof.nemesis;

import dev.waybill.embedded.postgres.Flow;
import dev.waybill.embedded.postgres.TcpProxy;
import dev.waybill.proof.cast.Member;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What befalls the network between a process and what it talks to. */
final class OnLinks {
    static final List<Nemesis> NEMESES = List.of(
            new Nemesis("cut-database", (stage, random) -> cut(stage, random, true)),
            new Nemesis("cut-broker", (stage, random) -> cut(stage, random, false)),
            new Nemesis("half-open-database", (stage, random) -> halfOpen(stage, random, true)),
            new Nemesis("half-open-broker", (stage, random) -> halfOpen(stage, random, false)),
            new Nemesis("forgotten-flows", OnLinks::forget),
            new Nemesis("partition", OnLinks::partition),
            new Nemesis("slow", OnLinks::slow));

    private static final int KEEP_ALIVE_SECONDS = 60;

    private OnLinks() {}

    private static TcpProxy link(Member member, boolean database) {
        return database ? member.database() : member.broker();
    }

    private static String cut(Stage stage, SplittableRandom random, boolean database) throws InterruptedException {
        Member victim = stage.any(random);
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            link(victim, database).cut();
            stage.last(Duration.ofMillis(random.nextInt(50, 1_500)));
        }
        return victim.name();
    }

    private static String halfOpen(Stage stage, SplittableRandom random, boolean database) throws InterruptedException {
        Member victim = stage.any(random);
        link(victim, database).silence();
        stage.last(Duration.ofSeconds(random.nextInt(2, 15)));
        link(victim, database).resume();
        return victim.name();
    }

    // A firewall that forgets: what is open says nothing, until the server's keep-alives end it; what comes is served.
    private static String forget(Stage stage, SplittableRandom random) {
        Member victim = stage.any(random);
        TcpProxy link = link(victim, random.nextBoolean());
        List<Flow> forgotten = link.flows();
        link.forgetFlows();
        CompletableFuture.delayedExecutor(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .execute(() -> forgotten.forEach(Flow::cut));
        return victim.name();
    }

    private static String partition(Stage stage, SplittableRandom random) throws InterruptedException {
        Member victim = stage.any(random);
        victim.database().silence();
        victim.broker().silence();
        stage.last(Duration.ofSeconds(random.nextInt(5, 20)));
        victim.database().resume();
        victim.broker().resume();
        return victim.name();
    }

    private static String slow(Stage stage, SplittableRandom random) throws InterruptedException {
        Member victim = stage.any(random);
        var delay = Duration.ofMillis(random.nextInt(5, 60));
        victim.database().delay(delay);
        victim.broker().delay(delay);
        victim.database().cut();
        victim.broker().cut();
        stage.last(Duration.ofSeconds(random.nextInt(5, 15)));
        victim.database().delay(Duration.ZERO);
        victim.broker().delay(Duration.ZERO);
        victim.database().cut();
        victim.broker().cut();
        return victim.name() + " by " + delay.toMillis() + " ms each way";
    }
}
