package dev.waybill.standalone.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.standalone.cost.Bill.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bills that were computed by hand. */
class BillTest {
    private static final Offset<Double> EXACTLY = within(1e-6);

    @TempDir
    private Path directory;

    @Test
    void a_small_message_through_a_queue_is_three_operations() {
        Bill bill = bill("destination: { orders: { messages-per-month: 1000000 } }");

        assertThat(bill.messages()).isEqualTo(1_000_000, EXACTLY);
        assertThat(bill.operations()).isEqualTo(3_000_000, EXACTLY);
        assertThat(of(bill, Kind.SEND)).isEqualTo(1_000_000, EXACTLY);
        assertThat(of(bill, Kind.DELIVER)).isEqualTo(1_000_000, EXACTLY);
        assertThat(of(bill, Kind.SETTLE)).isEqualTo(1_000_000, EXACTLY);
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "65536, 3", "65537, 5", "98304, 5", "131073, 7", "262144, 9"})
    void size_counts_when_a_message_moves_and_not_when_it_is_settled(long bytes, double operations) {
        Bill bill = bill("destination: { orders: { messages-per-month: 1, bytes: " + bytes + " } }");

        assertThat(bill.operations()).isEqualTo(operations, EXACTLY);
    }

    @Test
    void each_subscription_counts_by_what_its_rules_let_in() {
        Bill bill = bill("""
                destination:
                  events:
                    messages-per-month: 1000
                    subscription: { fraud: { share: 0.1 }, audit: {}, mail: { share: 0.5 } }
                """);

        // 1000 in; 100, 1000 and 500 out and settled.
        assertThat(bill.operations()).isEqualTo(1_000 + 2 * 1_600, EXACTLY);
    }

    @Test
    void a_topic_whose_messages_nobody_wants_costs_what_is_sent() {
        Bill bill = bill("destination: { events: { messages-per-month: 1000, subscription: {} } }");

        assertThat(bill.operations()).isEqualTo(1_000, EXACTLY);
    }

    @Test
    void a_batch_saves_round_trips_and_no_operation() {
        Bill one = bill("destination: { orders: { messages-per-month: 1000 } }");
        Bill fifty = bill("destination: { orders: { messages-per-month: 1000, batch: 50 } }");

        assertThat(fifty.operations()).isEqualTo(one.operations());
        assertThat(one.roundTrips()).isEqualTo(1_000, EXACTLY);
        assertThat(fifty.roundTrips()).isEqualTo(20, EXACTLY);
    }

    @Test
    void repeats_and_dead_letters_are_operations_of_their_own() {
        Bill bill = bill("""
                destination:
                  orders:
                    messages-per-month: 1000
                    bytes: 70000
                    sent-again: 0.1
                    consumer: { delivered-again: 0.2, dead-lettered: 0.01 }
                """);

        assertThat(of(bill, Kind.SEND)).isEqualTo(2_200, EXACTLY);
        assertThat(of(bill, Kind.DELIVER)).isEqualTo(2_400, EXACTLY);
        assertThat(of(bill, Kind.SETTLE)).isEqualTo(1_200, EXACTLY);
        assertThat(of(bill, Kind.COLLECT)).isEqualTo(10 * 3, EXACTLY);
    }

    @ParameterizedTest
    @CsvSource({"29s, 0", "30s, 1", "59s, 1", "2m, 4"})
    void a_lock_is_renewed_at_each_half_of_its_time(String time, double renewals) {
        Bill bill = bill("destination: { orders: { messages-per-month: 1000, consumer: { handler-time: " + time
                + ", lock-duration: 1m } } }");

        assertThat(of(bill, Kind.RENEW)).isEqualTo(1_000 * renewals, EXACTLY);
    }

    @Test
    void sessions_are_accepted_and_workers_without_one_ask_every_20_seconds() {
        Bill bill = bill("""
                hours-per-month: 100
                destination:
                  orders:
                    messages-per-second: 10
                    sessions: true
                    consumer: { workers: 8, handler-time: 200ms, messages-per-acceptance: 4, session-state-calls: 2 }
                """);

        // 3.6 million messages; two of eight workers are busy, six ask 3 times a minute for 6000 minutes.
        assertThat(of(bill, Kind.ACCEPT)).isEqualTo(900_000, EXACTLY);
        assertThat(of(bill, Kind.STATE)).isEqualTo(7_200_000, EXACTLY);
        assertThat(of(bill, Kind.WAIT)).isEqualTo(6 * 3 * 6_000, EXACTLY);
        assertThat(bill.perMessage())
                .as("workers that wait wait for no message")
                .isEqualTo(5.25, EXACTLY);
    }

    @Test
    void without_sessions_a_worker_that_waits_costs_nothing() {
        assertThat(of(bill("destination: { orders: { messages-per-second: 0 } }"), Kind.WAIT))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 73", "13, 73", "14, 83", "100, 943", "101, 948", "2500, 12943", "2600, 13043"})
    void standard_is_priced_step_by_step(double millions, double cost) {
        assertThat(prices().standard(millions * 1e6, 730)).isEqualTo(cost, EXACTLY);
    }

    @ParameterizedTest
    @CsvSource({"73, 0", "83, 14", "943, 100", "948, 101", "13043, 2600"})
    void the_operations_for_a_price_are_those_that_cost_it(double price, double millions) {
        assertThat(prices().operationsFor(price, 730)).hasValueCloseTo(millions * 1e6, within(1e-3));
    }

    @Test
    void premium_pays_from_where_standard_costs_as_much() {
        // 2 an hour are 1460; less the base of 73 and 870 for the first 100 million, 517 are 103.4 million more.
        Comparison comparison =
                Comparison.of(bill("destination: { orders: { messages-per-month: 30000000 } }"), Optional.of(prices()));

        assertThat(comparison.tier("standard").cost()).hasValue(73 + 77 * 10.0);
        assertThat(comparison.tier("premium").cost()).hasValue(1_460.0);
        assertThat(comparison.tier("basic").cost()).hasValue(90.0);
        assertThat(comparison.premiumPaysFrom()).hasValueCloseTo(203_400_000.0, within(1e-3));
    }

    @Test
    void a_tier_says_why_it_does_not_take_a_load() {
        Comparison comparison = Comparison.of(bill("""
                destination:
                  orders: { messages-per-second: 400, sessions: true }
                  events: { messages-per-second: 100, bytes: 300000, subscription: { a: {}, b: {} } }
                """), Optional.empty());

        assertThat(comparison.tier("basic").lacks())
                .containsExactly(
                        "it has no topics", "it has no sessions", "it takes no message above 256 KiB, as of events");
        // 800 for the queue; for the topic 100 in, 200 for filters, 200 out.
        assertThat(comparison.tier("standard").lacks())
                .containsExactly(
                        "it takes no message above 256 KiB, as of events",
                        "it throttles above 1000 credits a second, and this is 1300 in the mean");
        assertThat(comparison.tier("premium").lacks()).isEmpty();
        assertThat(comparison.tiers())
                .allSatisfy(tier -> assertThat(tier.cost()).isEmpty());
    }

    @Test
    void counters_of_a_relay_are_rates_since_it_began() {
        Map<String, Counters.Rate> rates = Counters.read("""
                # HELP waybill_outbox_publish_messages_total Messages that were sent, by what the broker said
                waybill_outbox_publish_messages_total{database="main",destination="orders",outcome="accepted"} 3.6E4
                waybill_outbox_publish_messages_total{database="main",destination="orders",outcome="throttled"} 360.0
                waybill_outbox_publish_messages_total{database="other",destination="orders",outcome="accepted"} 3600
                process_uptime_seconds 3600.0
                """);

        assertThat(rates).containsOnlyKeys("orders");
        assertThat(rates.values()).singleElement().satisfies(rate -> {
            assertThat(rate.perSecond()).isEqualTo(11, EXACTLY);
            assertThat(rate.sentAgain()).isEqualTo(360.0 / 39_600, EXACTLY);
        });
        Bill bill = Bill.of(LoadFile.read(write("destination: { orders: { sent-again: 0 } }"), rates));
        assertThat(bill.messages()).isEqualTo(11 * 730 * 3_600, EXACTLY);
    }

    private Prices prices() {
        return new Prices(
                "XXX",
                OptionalDouble.of(1),
                OptionalDouble.of(0.1),
                List.of(
                        new Prices.Step(13, 0),
                        new Prices.Step(100, 10),
                        new Prices.Step(2_500, 5),
                        new Prices.Step(Double.MAX_VALUE, 1)),
                OptionalDouble.of(2),
                false);
    }

    private static double of(Bill bill, Kind kind) {
        return bill.lines().stream()
                .filter(line -> line.kind() == kind)
                .mapToDouble(Bill.Line::operations)
                .sum();
    }

    private Bill bill(String yaml) {
        return Bill.of(LoadFile.read(write(yaml), Map.of()));
    }

    private Path write(String yaml) {
        try {
            return Files.writeString(directory.resolve("load.yaml"), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
