package dev.waybill.proof.nemesis;

import dev.waybill.proof.cast.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** What befalls processes. */
final class OnProcesses {
    private static final int MOST = 5;

    static final List<Nemesis> NEMESES = List.of(
            new Nemesis("kill-relay", (stage, random) -> kill(stage, random, "relay")),
            new Nemesis("kill-consumer", (stage, random) -> kill(stage, random, "consumer")),
            new Nemesis("kill-writer", (stage, random) -> kill(stage, random, "writer")),
            new Nemesis("kill-operator", (stage, random) -> kill(stage, random, "operator")),
            new Nemesis("freeze-relay", (stage, random) -> freeze(stage, random, "relay", 6, 12)),
            new Nemesis("freeze-consumer", (stage, random) -> freeze(stage, random, "consumer", 11, 25)),
            new Nemesis("restart", OnProcesses::restart),
            new Nemesis("out-of-memory", OnProcesses::outOfMemory),
            new Nemesis("clock", OnProcesses::clock),
            new Nemesis("scale-relays", (stage, random) -> scale(stage, random, "relay")),
            new Nemesis("scale-consumers", (stage, random) -> scale(stage, random, "consumer")));

    private OnProcesses() {}

    private static String kill(Stage stage, SplittableRandom random, String role) throws InterruptedException {
        Member victim = stage.any(random, role);
        victim.kill();
        stage.last(Duration.ofMillis(random.nextInt(2_000)));
        victim.start();
        return victim.name();
    }

    private static String freeze(Stage stage, SplittableRandom random, String role, int least, int most)
            throws InterruptedException {
        Member victim = stage.any(random, role);
        victim.freeze(true);
        try {
            stage.last(Duration.ofSeconds(random.nextInt(least, most)));
        } finally {
            victim.freeze(false);
        }
        return victim.name();
    }

    private static String restart(Stage stage, SplittableRandom random) {
        Member victim = stage.any(random);
        victim.stop();
        victim.start();
        return victim.name();
    }

    // It starts, and ends by itself as soon as it has work.
    private static String outOfMemory(Stage stage, SplittableRandom random) throws InterruptedException {
        Member victim = stage.any(random, "relay", "consumer");
        victim.kill();
        victim.options(options -> options.withHeap(random.nextInt(18, 40)));
        victim.start();
        int before = victim.starts();
        stage.last(Duration.ofSeconds(random.nextInt(5, 12)));
        int ended = victim.starts() - before;
        victim.kill();
        victim.options(options -> options);
        victim.start();
        return victim.name() + " ended " + ended + " times";
    }

    private static String clock(Stage stage, SplittableRandom random) throws InterruptedException {
        if (!Files.isExecutable(Path.of("/usr/bin/faketime"))) {
            return "left out: there is no faketime";
        }
        Member victim = stage.any(random, "relay", "consumer", "operator");
        String offset = (random.nextBoolean() ? "+" : "-") + random.nextInt(2, 60) + "m";
        victim.stop();
        victim.options(
                options -> options.behind(List.of("env", "FAKETIME_DONT_FAKE_MONOTONIC=1", "faketime", "-f", offset)));
        victim.start();
        stage.last(Duration.ofSeconds(random.nextInt(10, 30)));
        victim.kill();
        victim.options(options -> options);
        victim.start();
        return victim.name() + " " + offset;
    }

    private static String scale(Stage stage, SplittableRandom random, String role) throws InterruptedException {
        List<Member> usual =
                stage.cast().members(role).stream().filter(Member::isAlive).toList();
        while (stage.cast().members(role).size() < MOST) {
            stage.cast().add(role);
        }
        List<Member> all = stage.cast().members(role);
        all.forEach(Member::start);
        stage.last(Duration.ofSeconds(random.nextInt(4, 10)));
        all.subList(1, all.size()).forEach(Member::stop);
        stage.last(Duration.ofSeconds(random.nextInt(2, 6)));
        all.forEach(member -> {
            if (usual.contains(member)) {
                member.start();
            } else {
                member.stop();
            }
        });
        usual.forEach(Member::start);
        return "to " + MOST + ", 1 and " + usual.size();
    }
}
