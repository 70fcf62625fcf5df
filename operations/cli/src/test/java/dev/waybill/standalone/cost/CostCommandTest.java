package dev.waybill.standalone.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb as an operator runs it, and the page about it. */
class CostCommandTest {
    private static final Path PAGE = Path.of("../../docs/operations/cost.md");
    private static final Pattern SHOWN =
            Pattern.compile("```console\\n\\$ waybill-relay (cost [^\\n]*)\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path directory;

    private Program program;

    @BeforeEach
    void without_any_configuration() {
        program = Program.with(directory, "");
    }

    @Test
    void the_page_shows_what_the_verb_prints() throws IOException {
        Matcher shown = SHOWN.matcher(Files.readString(PAGE));
        int runs = 0;
        while (shown.find()) {
            String[] words = shown.group(1).replace(" docs/", " ../../docs/").split(" ");
            assertThat(program.run(words).out()).isEqualTo(shown.group(2));
            runs++;
        }

        assertThat(runs).isOne();
    }

    @Test
    void the_load_on_the_page_is_one() throws IOException {
        Matcher load = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(load.find()).isTrue();
        Path file = Files.writeString(directory.resolve("load.yaml"), load.group(1));

        Result result = program.run("cost", "--load", file.toString(), "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.json().get("messagesPerMonth").asLong()).isEqualTo(50L * 730 * 3_600 + 1_000_000);
    }

    @Test
    void placeholders_are_told_and_their_exit_code_is_not_that_of_an_answer() {
        Result result = program.run(
                "cost", "--rate", "1", "--prices", "../../docs/operations/cost/prices.yaml", "--subscriptions", "2");

        assertThat(result.exitCode()).isEqualTo(10);
        assertThat(result.err()).contains("are placeholders");
        assertThat(result.out()).contains("XXX").contains("subscription 2");
    }

    @Test
    void programs_get_the_same_as_json() {
        Result result = program.run("cost", "--rate", "10", "--sessions", "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.json().get("messagesPerMonth").asLong()).isEqualTo(26_280_000);
        assertThat(result.json().get("operationsPerMessage").asDouble()).isEqualTo(4);
        assertThat(result.json().get("tiers").get(0).get("lacks").get(0).asText())
                .isEqualTo("it has no sessions");
        assertThat(result.json().get("premiumPaysFrom").isNull()).isTrue();
        assertThat(result.json().get("lines").get(0).get("operation").asText()).isEqualTo("send");
    }

    @Test
    void everything_that_is_wrong_with_a_load_is_told_at_once_with_its_line() throws IOException {
        Path load = Files.writeString(directory.resolve("load.yaml"), """
                destination:
                  orders:
                    mesages-per-second: 3
                    bytes: many
                    consumer: { handler-time: soon, share: 2 }
                  events:
                    messages-per-second: 1
                    messages-per-month: 1
                    sessions: perhaps
                messaging-unit: 4
                messaging-units: 2.5
                """);

        Result result = program.run("cost", "--load", load.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("line 3: there is no option 'destination.orders.mesages-per-second'; did you mean"
                        + " 'messages-per-second'?")
                .contains("line 4: 'destination.orders.bytes' is 'many', not a number from 1 to 100000000")
                .contains("line 5: 'destination.orders.consumer.handler-time': 'soon' is not")
                .contains("line 5: 'destination.orders.consumer.share' is '2', not a number from 0 to 1")
                .contains("destination.orders needs messages-per-second or messages-per-month")
                .contains("line 8: destination.events has both messages-per-second and messages-per-month")
                .contains("line 9: 'destination.events.sessions' is 'perhaps', neither true nor false")
                .contains("line 10: there is no option 'messaging-unit'; did you mean 'messaging-units'?")
                .contains("line 11: 'messaging-units' is 2.5, not a whole number");
    }

    @Test
    void prices_that_make_no_sense_are_refused() throws IOException {
        Path prices = Files.writeString(directory.resolve("prices.yaml"), """
                standard:
                  base-per-hour: -1
                  operations:
                    - { up-to-million: 100, per-million: 1 }
                    - { up-to-million: 13, per-milion: 1 }
                premium: { unit-per-hour: 1, units: 3 }
                """);

        Result result = program.run("cost", "--rate", "1", "--prices", prices.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("line 2: 'standard.base-per-hour' is '-1', not a number from 0 to 1000000000")
                .contains("line 5: standard.operations have to grow")
                .contains("'standard.operations[].per-milion'; did you mean 'per-million'?")
                .contains("the last of standard.operations has no up-to-million")
                .contains("there is no option 'premium.units'; did you mean 'unit-per-hour'?");
    }

    @Test
    void bad_input_is_told_before_anything_is_computed() throws IOException {
        Path load = Files.writeString(directory.resolve("load.yaml"), "destination: [1, 2]");
        Path metrics = Files.writeString(directory.resolve("metrics"), "nothing 1");

        assertThat(program.run("cost").err()).contains("Give --load, --rate or --metrics");
        assertThat(program.run("cost", "--rate", "NaN").exitCode()).isEqualTo(2);
        assertThat(program.run("cost", "--load", load.toString()).err()).contains("line 1: a map of options is needed");
        assertThat(program.run("cost", "--load", load.toString(), "--rate", "1").err())
                .contains("--load says all");
        assertThat(program.run("cost", "--load", directory.resolve("none").toString())
                        .exitCode())
                .isEqualTo(2);
        assertThat(program.run("cost", "--metrics", metrics.toString()).err())
                .contains("they lack process_uptime_seconds");
    }

    @Test
    void rates_of_several_relays_add_up_and_what_the_load_leaves_out_is_told() throws IOException {
        String counters = """
                waybill_outbox_publish_messages_total{destination="orders",outcome="accepted"} 100
                waybill_outbox_publish_messages_total{destination="notes",outcome="accepted"} 100
                process_uptime_seconds 10
                """;
        Path one = Files.writeString(directory.resolve("one"), counters);
        Path other = Files.writeString(directory.resolve("other"), counters.replace("seconds 10", "seconds 20"));
        Path load = Files.writeString(directory.resolve("load.yaml"), "destination: { orders: { sessions: true } }");

        Result result = program.run(
                "cost",
                "--load",
                load.toString(),
                "--metrics",
                one.toString(),
                "--metrics",
                other.toString(),
                "--json");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.json().get("messagesPerMonth").asLong()).isEqualTo(15L * 730 * 3_600);
        assertThat(result.err()).contains("Counted, and not in the load: notes");
    }

    @Test
    void a_relay_that_does_not_answer_has_an_exit_code_of_its_own() throws IOException {
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }

        Result result = program.run("cost", "--metrics", "http://127.0.0.1:" + port + "/metrics");

        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.err()).contains("does not answer");
        assertThat(program.run("cost", "--metrics", directory.resolve("none").toString())
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void a_load_above_what_standard_takes_ends_with_a_warning() {
        Result result = program.run("cost", "--rate", "600");

        assertThat(result.exitCode()).isEqualTo(10);
        assertThat(result.out()).contains("it throttles above 1000 credits a second, and this is 1200 in the mean");
    }
}
