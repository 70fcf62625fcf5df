package dev.waybill.walletforge.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Any input gives, by way of outbox, relay, broker and inbox, what a loop over its lines gives. */
@ExtendWith(PostgresExtension.class)
class SequentialProgramTest {
    private static final String[] KINDS = {"credit", "credit", "debit"};
    private static final String[] WALLETS = {
        "w", " w", "w,1", "w\"2\"", "käse & brot", "\uD83D\uDCB0", "$default", "a/b?c#d", "x".repeat(128)
    };

    @TempDir
    private Path directory;

    @Test
    void a_fixed_input_gives_the_balances_of_a_sequential_program(TestDatabase database) throws Exception {
        runs_alike(database, 42);
    }

    @Test
    void a_random_input_gives_the_balances_of_a_sequential_program(TestDatabase database) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("SequentialProgramTest: random seed " + seed);

        runs_alike(database, seed);
    }

    @Test
    @Tag("long")
    void the_sample_file_gives_the_balances_of_a_sequential_program(TestDatabase database) throws Exception {
        runs_alike(database, Path.of("samples", "payments.csv"));
    }

    @Test
    void no_payments_give_no_balances(TestDatabase database) throws Exception {
        runs_alike(database, Files.writeString(directory.resolve("empty.csv"), ""));
    }

    private void runs_alike(TestDatabase database, long seed) throws Exception {
        Path input = directory.resolve("in.csv");
        try (var printer = new CSVPrinter(Files.newBufferedWriter(input), CSVFormat.DEFAULT)) {
            printer.printRecords(payments(new Random(seed)));
        }
        runs_alike(database, input);
    }

    private void runs_alike(TestDatabase database, Path input) throws Exception {
        Path balances = directory.resolve("b.csv");

        var run = Cli.demo(database, "--input", input.toString(), "--balances", balances.toString());

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(rows(balances)).isEqualTo(sequentially(rows(input)));
    }

    private static List<List<String>> payments(Random random) {
        var lines = new ArrayList<List<String>>();
        for (int i = 0; i < 400; i++) {
            // Some ids repeat, with another wallet, kind and amount each time.
            String id = random.nextInt(5) == 0 ? "t" + random.nextInt(i + 1) : "t" + i;
            String wallet = WALLETS[random.nextInt(WALLETS.length)];
            long cents = random.nextInt(10) == 0 ? Math.abs(random.nextLong() >> 12) : random.nextInt(1_000);
            lines.add(List.of(id, wallet, KINDS[random.nextInt(KINDS.length)], String.valueOf(cents)));
        }
        lines.add(List.of("x~0123456789abcdefghijklmnop", "w", "credit", "1"));
        lines.add(List.of("y".repeat(119), "w", "credit", "1"));
        return lines;
    }

    private static List<List<String>> sequentially(List<List<String>> lines) {
        var seen = new HashSet<String>();
        // Balance, applied, declined.
        var wallets = new TreeMap<String, long[]>(SequentialProgramTest::byCodePoints);
        for (List<String> line : lines) {
            if (line.get(0).equals("tx_id") || !seen.add(line.get(0))) {
                continue;
            }
            long[] wallet = wallets.computeIfAbsent(line.get(1), id -> new long[3]);
            long cents = Long.parseLong(line.get(3));
            boolean credit = line.get(2).equals("credit");
            if (credit || cents <= wallet[0]) {
                wallet[0] += credit ? cents : -cents;
                wallet[1]++;
            } else {
                wallet[2]++;
            }
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("wallet_id", "balance_cents", "applied", "declined"));
        wallets.forEach(
                (id, w) -> rows.add(List.of(id, String.valueOf(w[0]), String.valueOf(w[1]), String.valueOf(w[2]))));
        return wallets.isEmpty() ? rows.subList(0, 1) : rows;
    }

    private static int byCodePoints(String a, String b) {
        return java.util.Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static List<List<String>> rows(Path file) throws Exception {
        try (var parser = CSVParser.builder()
                .setPath(file)
                .setCharset(StandardCharsets.UTF_8)
                .setFormat(CSVFormat.DEFAULT)
                .get()) {
            return parser.stream().map(CSVRecord::toList).toList();
        }
    }
}
