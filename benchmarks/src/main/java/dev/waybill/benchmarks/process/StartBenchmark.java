package dev.waybill.benchmarks.process;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.benchmarks.servicebus.BenchQueue;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How soon a relay works, and how much memory it holds when it has nothing to do: the jar on a JDK, and the image's runtime. */
public final class StartBenchmark implements Benchmark {
    private static final Logger LOG = LoggerFactory.getLogger(StartBenchmark.class);

    /** Where the jar is; the directory of the build unless given. */
    private static final String JAR = System.getProperty("waybill.jar", "operations/cli/target/waybill-relay.jar");

    /** The image that {@code deploy/image/runtime.sh} has made; only the jar is measured unless given. */
    private static final String IMAGE = System.getProperty("waybill.image", "");

    /** The file that gets the names of the classes which a start of the jar loads, for {@code runtime.sh}; none unless given. */
    private static final String CLASSES = System.getProperty("waybill.classes", "");

    /** As the image has it in 288 MiB. */
    private static final List<String> HEAP = List.of("-Xms24m", "-Xmx192m", "-XX:+UseSerialGC");

    private static final double READY_TARGET = 1_200;
    private static final double RESIDENT_TARGET = 180;

    private record Round(double readyMillis, double cpuMillis, double residentMib) {}

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String summary() {
        return "time from the start of a relay's process until it is ready, and its memory when idle";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        report.note(
                "from the start of the process to the first 200 of /readyz, database and broker there, one destination, "
                        + String.join(" ", HEAP) + ", Java " + System.getProperty("java.version") + "; memory after "
                        + idleSeconds(scale) + " s without messages");
        Path jar = Path.of(JAR);
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("There is no " + JAR + ": build it, or name it with -Dwaybill.jar");
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        if (!CLASSES.isEmpty()) {
            start(command(java, List.of("-XX:DumpLoadedClassList=" + CLASSES), JAR), environment, Duration.ZERO);
            report.note("classes: " + CLASSES + " has "
                    + Files.readAllLines(Path.of(CLASSES)).size() + " lines");
        }
        List<Round> ofJar = rounds(command(java, List.of(), JAR), environment, scale);
        report.figure(
                "readyMillisJar",
                Spread.of(ofJar.stream().map(Round::readyMillis).toList()),
                Target.NONE);
        report.figure(
                "residentMibJar",
                Spread.of(ofJar.stream().map(Round::residentMib).toList()),
                Target.NONE);
        report.detail(
                "jar: processor until ready, ms",
                Spread.of(ofJar.stream().map(Round::cpuMillis).toList()));
        if (!IMAGE.isEmpty()) {
            image(rounds(imageCommand(Path.of(IMAGE)), environment, scale), report);
        }
    }

    private static void image(List<Round> rounds, Report report) {
        report.note("image: the runtime that deploy/image/runtime.sh makes, with class data of a start");
        report.figure(
                "readyMillisImage",
                Spread.of(rounds.stream().map(Round::readyMillis).toList()),
                Target.atMost(READY_TARGET));
        report.figure(
                "residentMibImage",
                Spread.of(rounds.stream().map(Round::residentMib).toList()),
                Target.atMost(RESIDENT_TARGET));
        report.detail(
                "image: processor until ready, ms",
                Spread.of(rounds.stream().map(Round::cpuMillis).toList()));
    }

    // As the Dockerfile starts it.
    private static List<String> imageCommand(Path image) {
        return command(
                image.resolve("java/bin/java").toString(),
                List.of("-XX:SharedArchiveFile=" + image.resolve("waybill-relay.jsa")),
                image.resolve("waybill-relay.jar").toString());
    }

    private static List<String> command(String java, List<String> options, String jar) {
        var command = new ArrayList<String>(List.of(java));
        command.addAll(HEAP);
        command.addAll(options);
        command.addAll(List.of("-jar", jar, "run"));
        return command;
    }

    private static List<Round> rounds(List<String> command, Environment environment, Scale scale) throws Exception {
        var rounds = new ArrayList<Round>();
        for (int i = 0; i < scale.choose(9, 3, 1); i++) {
            rounds.add(start(command, environment, Duration.ofSeconds(idleSeconds(scale))));
            LOG.info("start of {}: {}", command.get(0), rounds.get(i));
        }
        return rounds;
    }

    private static Round start(List<String> command, Environment environment, Duration idle) throws Exception {
        try (OutboxSchema schema = environment.newSchema();
                EmbeddedServiceBus bus = BenchQueue.start();
                var relay = new StartedRelay(command, schema, bus)) {
            double ready = relay.millisUntilReady();
            double cpu = relay.cpuMillis();
            Thread.sleep(idle.toMillis());
            return new Round(ready, cpu, relay.residentMib());
        }
    }

    private static int idleSeconds(Scale scale) {
        return scale.choose(20, 10, 0);
    }
}
