package dev.waybill.benchmarks.process;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Benchmark;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long the console's pages take over a database with many dead letters and holds. */
public final class ConsoleBenchmark implements Benchmark {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleBenchmark.class);
    private static final String JAR = System.getProperty("waybill.jar", "operations/cli/target/waybill-relay.jar");
    private static final Pattern NEXT = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"");
    private static final Pattern FIRST_HOLD = Pattern.compile("href=\"(/hold\\?[^\"]+)\"");
    private static final int PAGES_DEEP = 5;
    private static final double TARGET_MILLIS = 300;

    /** The overview is read at most so often, whoever asks. */
    private static final long BETWEEN_OVERVIEWS_MILLIS = 2_100;

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String summary() {
        return "time of the console's pages over many dead letters and holds";
    }

    @Override
    public void run(Environment environment, Scale scale, Report report) throws Exception {
        Path jar = Path.of(JAR);
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("There is no " + JAR + ": build it, or name it with -Dwaybill.jar");
        }
        var load = new ConsoleLoad(scale.choose(10_000_000, 1_000_000, 1_000), scale.choose(100_000, 10_000, 100));
        report.note(
                "%,d dead letters, %,d holds of each side; from the request to the last byte of the answer, on loopback"
                        .formatted(load.letters(), load.holds()));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try (OutboxSchema schema = environment.newSchema()) {
            load.fill(schema);
            try (var console = StartedConsole.start(List.of(java, "-Xmx192m", "-jar", JAR, "console"), schema)) {
                measure(console, paths(console, load), scale.choose(30, 10, 1), report);
            }
        }
    }

    private static Map<String, String> paths(StartedConsole console, ConsoleLoad load) throws Exception {
        var paths = new LinkedHashMap<String, String>();
        paths.put("Overview", "/");
        paths.put("Held", "/held?db=main&side=outbox");
        paths.put("HeldDeep", deep(console, "/held?db=main&side=inbox"));
        paths.put("Hold", link(FIRST_HOLD, console.get("/held?db=main&side=outbox")));
        paths.put("DeadLetters", "/dead-letters?db=main");
        paths.put("DeadLettersDeep", deep(console, "/dead-letters?db=main"));
        paths.put("DeadLettersOfEntity", "/dead-letters?db=main&state=open&entity=queue-0");
        paths.put("DeadLettersOfSession", "/dead-letters?db=main&state=redriven&session=session-777");
        paths.put("DeadLettersRedriven", "/dead-letters?db=main&state=redriven");
        paths.put("DeadLettersDryRun", "/dead-letters/many?db=main&state=open&deed=redrive&entity=queue-0");
        paths.put("DeadLetter", "/dead-letter?db=main&id=" + load.letters() / 2);
        paths.put("Body", "/body?db=main&letter=" + load.letters() / 2);
        paths.put("MessagesById", "/messages?db=main&by=message&text=message-" + load.letters() / 3);
        paths.put("MessagesOfSession", "/messages?db=main&by=session&text=session-5");
        paths.put("Consumers", "/consumers?db=main");
        paths.put("Audit", "/audit?db=main");
        return paths;
    }

    private static String deep(StartedConsole console, String first) throws Exception {
        String path = first;
        for (int i = 0; i < PAGES_DEEP; i++) {
            Matcher next = NEXT.matcher(console.get(path));
            if (!next.find()) {
                break;
            }
            path = next.group(1).replace("&amp;", "&");
        }
        return path;
    }

    private static String link(Pattern pattern, String page) {
        Matcher link = pattern.matcher(page);
        if (!link.find()) {
            throw new IllegalStateException("The page has no " + pattern);
        }
        return link.group(1).replace("&amp;", "&");
    }

    private static void measure(StartedConsole console, Map<String, String> paths, int rounds, Report report)
            throws Exception {
        for (var page : paths.entrySet()) {
            double first = millis(console, page.getValue());
            var times = new ArrayList<Double>();
            for (int i = 0; i < rounds; i++) {
                if (page.getKey().equals("Overview")) {
                    Thread.sleep(rounds == 1 ? 0 : BETWEEN_OVERVIEWS_MILLIS);
                }
                times.add(millis(console, page.getValue()));
            }
            LOG.info("{}: first {} ms, then {}", page.getKey(), Math.round(first), Spread.of(times));
            report.figure("millis" + page.getKey(), Spread.of(times), Target.atMost(TARGET_MILLIS));
            report.detail("the first time", Spread.of(List.of(first)));
        }
    }

    private static double millis(StartedConsole console, String path) throws Exception {
        long startedAt = System.nanoTime();
        console.get(path);
        return (System.nanoTime() - startedAt) / 1e6;
    }
}
