package dev.waybill.walletforge.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The output of a run as the page of WalletForge shows it. */
record ShownRun(List<String> lines) {
    private static final Pattern READERS =
            Pattern.compile("  (transfers|wrong transfers|not as|fraud cases|e-mails) .*");
    private static final Path PAGE = Path.of("README.md");

    static ShownRun plain() throws IOException {
        return below("mvn -q -Ddemo compile");
    }

    static ShownRun withFaults() throws IOException {
        return below("mvn -q -Ddemo compile -Ddemo.args=\"--faults --transactions 2000 --wallets 100 --seed 7"
                + " --report r.json --balances b.csv\"");
    }

    private static ShownRun below(String command) throws IOException {
        List<String> lines = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals("$ " + command))
                .skip(1)
                .takeWhile(line -> !line.startsWith("```"))
                .toList();
        return new ShownRun(lines);
    }

    /** The lines without numbers, which differ from run to run; {@code …} stands for lines that are not shown. */
    List<String> shapes() {
        return shapes(lines.stream().filter(line -> !line.equals("…")).toList());
    }

    static List<String> shapes(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("\\d+(?:[,.]\\d+)*", "0").replaceAll(" +", " "))
                .distinct()
                .toList();
    }

    /** The table at the end, without transfers and readers, which differ from run to run. */
    List<String> table() {
        return lines.stream()
                .dropWhile(line -> !line.startsWith("  transactions "))
                .filter(line -> !READERS.matcher(line).matches())
                .toList();
    }

    /** The number in a row of the table. */
    double figure(String name) {
        String row = lines.stream()
                .filter(line -> line.startsWith("  " + name + "  "))
                .findFirst()
                .orElseThrow();
        return Double.parseDouble(
                row.substring(2 + name.length()).strip().split(" ", 2)[0].replace(",", ""));
    }
}
