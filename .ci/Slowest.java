import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prints which test classes took longest, from Surefire's reports: java .ci/Slowest.java [ROOT]. */
public final class Slowest {
    private static final int SHOWN = 10;
    private static final Pattern SUITE =
            Pattern.compile("<testsuite [^>]*?name=\"([^\"]+)\" time=\"([\\d.]+)\" tests=\"(\\d+)\"");

    private record Suite(Path module, String name, double seconds, int tests) {}

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]).normalize();
        List<Suite> suites = suites(root);
        System.out.printf(
                "%,d tests in %,d classes. These took longest, in seconds:%n",
                suites.stream().mapToInt(Suite::tests).sum(), suites.size());
        suites.stream()
                .sorted(Comparator.comparingDouble(Suite::seconds).reversed())
                .limit(SHOWN)
                .forEach(suite ->
                        System.out.printf("%6.0f  %s (%s)%n", suite.seconds(), suite.name(), suite.module()));
    }

    private static List<Suite> suites(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root, 6)) {
            var suites = new ArrayList<Suite>();
            for (Path report : files.filter(Slowest::isReport).toList()) {
                Path module = root.relativize(report.getParent().getParent().getParent());
                SUITE.matcher(Files.readString(report)).results().findFirst().ifPresent(suite -> suites.add(suite(module, suite)));
            }
            return suites;
        }
    }

    private static boolean isReport(Path file) {
        return file.getFileName().toString().matches("TEST-.*\\.xml")
                && file.getParent().endsWith("target/surefire-reports");
    }

    private static Suite suite(Path module, MatchResult suite) {
        String name = suite.group(1).replaceFirst(".*\\.", "");
        return new Suite(module, name, Double.parseDouble(suite.group(2)), Integer.parseInt(suite.group(3)));
    }
}
