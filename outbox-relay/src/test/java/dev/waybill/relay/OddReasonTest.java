package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.OutboxMessage;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A publisher gives a reason that no database stores, that is very long, that shows a row, or that cannot be asked for. */
@ExtendWith(PostgresExtension.class)
class OddReasonTest {
    private static final String NO_TEXT_OF_A_DATABASE = "bad \0 body";

    private final RecordingPublisher broker = new RecordingPublisher();
    private OutboxFixture outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        outbox = new OutboxFixture(database);
    }

    static Stream<Arguments> reasons() {
        return Stream.of(Outcome.UNAVAILABLE, Outcome.DESTINATION_REFUSED, Outcome.MESSAGE_REFUSED)
                .flatMap(outcome -> Stream.of(
                                new IllegalStateException(NO_TEXT_OF_A_DATABASE),
                                new IllegalStateException("half a pair \ud800"),
                                new IllegalStateException("x".repeat(200_000)),
                                violation(),
                                new PublishException("amqp:\0internal", violation()),
                                new Unspeakable())
                        .map(reason -> Arguments.of(outcome, reason.getClass().getSimpleName(), reason)));
    }

    private static PSQLException violation() {
        return new PSQLException(new ServerErrorMessage("SERROR\0VERROR\0C23502\0Mnull value in column \"a\"\0"
                + "DFailing row contains (1, {\"iban\": 17}).\0nno_nulls\0"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("reasons")
    void whatever_reason_a_publisher_gives_is_told_without_rows_and_stops_no_sign_of_life(
            Outcome outcome, String name, Throwable reason) {
        broker.behave(shipment -> new PublishResult(0, outcome, reason));
        var relay = outbox.relay(broker).started();
        var loop = outbox.loop(relay);
        outbox.append("s", "m1");

        for (int i = 0; i < 4; i++) {
            loop.step();
            outbox.clock.advanceMillis(1_000);
            assertThatCode(relay.heartbeat()::beat).doesNotThrowAnyException();
        }

        assertThat(told("select state from %s.relay_liveness, unnest(states) as state"))
                .containsExactly(state(outcome));
        assertThat(told("select detail from %1$s.relay_liveness, unnest(details) as detail"
                        + " union all select reason || description from %1$s.outbox_hold"
                        + " union all select reason || description from %1$s.outbox_refusal"))
                .allMatch(text -> text.length() < 10_000 && !text.contains("iban"));
    }

    private static String state(Outcome outcome) {
        return switch (outcome) {
            case UNAVAILABLE -> "unavailable";
            case DESTINATION_REFUSED -> "refused";
            default -> "idle";
        };
    }

    @Test
    void a_reason_of_one_destination_that_no_database_stores_stops_no_other() {
        broker.behave(shipment -> {
            if (shipment.destination().equals("odd")) {
                throw new IllegalStateException(NO_TEXT_OF_A_DATABASE);
            }
            return PublishResult.accepted(shipment.rows().size());
        });
        try (var relay = Relay.builder(outbox.dataSource())
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .destination("odd")
                .publisher(broker)
                .leaseDuration(Duration.ofSeconds(1))
                .build()) {
            relay.start();
            append("odd", "odd1");
            await().untilAsserted(() -> assertThat(outbox.rowsIn("relay_alarm where alarm = 'unavailable'"))
                    .isOne());

            append(OutboxFixture.DESTINATION, "m1");
            await().untilAsserted(() -> assertThat(broker.arrived()).containsExactly("m1"));
        }
    }

    private void append(String destination, String id) {
        outbox.dsl.transaction(tx -> outbox.outbox.append(
                tx.dsl(),
                OutboxMessage.to(destination).session("s").id(id).text("x").build()));
    }

    private List<String> told(String sql) {
        return outbox.dsl.fetch(sql.formatted(outbox.schema)).getValues(0, String.class);
    }

    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }
}
