package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.hold.HeldMessage;
import dev.waybill.message.WireContract;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that cannot be sent: it alone is held, and what can be sent is. */
class RefusedMessagesTest extends FailureCase {
    @ParameterizedTest
    @EnumSource(
            value = BrokerError.class,
            names = {"MESSAGE_SIZE_EXCEEDED", "NOT_ALLOWED", "INVALID_FIELD", "ARGUMENT_ERROR", "ARGUMENT_OUT_OF_RANGE"
            })
    @Tag("long")
    void a_refused_message_is_found_in_its_batch_and_held_alone(BrokerError error) {
        for (int i = 0; i < 40; i++) {
            append("orders", "s" + i, "m" + i);
        }
        for (String culprit : List.of("m7", "m23")) {
            bus.faults()
                    .at(FaultPoint.BEFORE_STORE)
                    .entity("orders")
                    .message(culprit)
                    .then(FaultAction.reject(error));
        }
        startRelay();

        awaitStored("orders", 38);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactlyInAnyOrder("m7", "m23"));
        assertThat(holds.list())
                .extracting(hold -> hold.cause().reason())
                .as("both of one reason, by which they are found again")
                .doesNotContain("ServiceBusException")
                .matches(reasons -> Set.copyOf(reasons).size() == 1);
        assertThat(destinations.refused()).isEmpty();
    }

    @Test
    void a_refused_batch_of_one_lane_is_halved_until_the_culprits_stand_alone() {
        List<String> sessions = dsl.fetch("""
                        select 's' || n as session from generate_series(1, 10000) n
                        where hashtextextended(('s' || n) collate "C", 0) & 31 = 7 order by n limit 50
                        """).getValues("session", String.class);
        for (String session : sessions) {
            append("orders", session, "of " + session);
        }
        var culprits = List.of(
                "of " + sessions.get(0), "of " + sessions.get(20), "of " + sessions.get(21), "of " + sessions.get(49));
        bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("orders")
                .when(event -> event.messageIds().stream().anyMatch(culprits::contains))
                .then(FaultAction.reject(BrokerError.MESSAGE_SIZE_EXCEEDED));
        startRelay();

        awaitStored("orders", 46);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactlyInAnyOrderElementsOf(culprits));
    }

    @Test
    void properties_that_are_longer_than_the_sdk_reckons_arrive_and_stop_nobody_else() {
        append("orders", "s", "before");
        dsl.transaction(tx -> {
            outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("orders")
                            .session("s")
                            .id("standard")
                            .subject("x".repeat(10_000))
                            .correlationId("\u00e9".repeat(128))
                            .build());
            outbox.append(
                    tx.dsl(),
                    OutboxMessage.to("orders")
                            .session("s")
                            .id("application")
                            .header("why", "\u4e2d".repeat(5_000))
                            .build());
        });
        append("orders", "s", "after");
        startRelay();

        awaitNoneHeldAndStored("orders", 4);

        assertThat(arrived("orders")).containsEntry("s", List.of("before", "standard", "application", "after"));
    }

    @Test
    void what_the_outbox_takes_can_be_sent() {
        assertThatThrownBy(() -> append("too large", 10, 257_600)).hasMessageContaining("too large");
        assertThatThrownBy(() -> append("too large", 20_000, 217_900)).hasMessageContaining("too large");
        append("just fits", 10, 257_400);
        append("just fits with its padding", 20_000, 217_600);
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("orders")
                        .session("s")
                        .id("lives long")
                        .timeToLive(WireContract.LONGEST_TIME_TO_LIVE)
                        .build()));
        startRelay();

        awaitNoneHeldAndStored("orders", 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'text'",
                "''",
                "7",
                "true",
                "{'double': 0.5}",
                "{'int': 7}",
                "{'short': 7}",
                "{'byte': 7}",
                "{'float': 0.5}",
                "{'char': 'c'}",
                "{'binary': 'AAEC'}",
                "{'ubyte': '255'}",
                "{'ushort': '65535'}",
                "{'uint': '4294967295'}",
                "{'ulong': '18446744073709551615'}",
                "{'decimal32': 'f8000001'}",
                "{'decimal64': 'f800000000000001'}",
                "{'decimal128': '8c3c00000000000000000000000007cf'}",
                "{'uuid': '00000000-0000-0000-0000-000000000001'}",
                "{'timestamp': '2026-01-02T03:04:05Z'}",
                "{'offset-time': '2026-01-02T03:04:05+01:00'}",
                "{'duration': 'PT1S'}",
                "{'uri': 'urn:a'}"
            })
    @Tag("long")
    void however_many_properties_it_has_a_message_arrives(String value) {
        for (int count = 0; count <= 400; count += 40) {
            String headers = IntStream.range(0, count)
                    .mapToObj(i -> "'" + i + "': " + value)
                    .collect(Collectors.joining(", ", "{", "}"));
            insert("m" + count, "s" + count, null, headers.replace('\'', '"'));
        }
        startRelay();

        awaitNoneHeldAndStored("orders", 11);
    }

    @Test
    void a_row_that_the_destination_is_too_small_for_is_held_and_its_neighbours_are_not() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                List.of(
                        message("small", null, "before"),
                        OutboxMessage.to("small")
                                .id("large")
                                .text("x".repeat(50_000))
                                .build(),
                        message("small", null, "after"))));
        startRelay();

        awaitStored("small", 2);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactly("large"));
    }

    @Test
    void a_content_type_that_no_symbol_can_carry_is_held_with_its_value_and_not_changed_on_the_way() {
        insert("wide", "s1", null, "{}");
        dsl.execute("update " + schema + ".outbox_message set content_type = 'text/\u6f22'");
        insert("fine", "s2", null, "{}");
        startRelay();

        awaitStored("orders", 1);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactly("wide"));
        assertThat(holds.list().get(0).cause().toString()).contains("content type 'text/\u6f22'");
    }

    @Test
    void rows_that_cannot_be_made_into_messages_are_held_and_mended_by_an_edit() {
        insert("unknown type", "s1", "s1", "{\"x\": {\"unknown\": \"1\"}}");
        insert("fraction", "s2", "s2", "{\"x\": [1.5]}");
        insert("too much", "s5", "s5", "{\"x\": {\"ubyte\": \"256\"}}");
        insert("other partition key", "s3", "other", "{}");
        insert("fine", "s4", "s4", "{}");
        startRelay();
        awaitStored("orders", 1);
        await().untilAsserted(() -> assertThat(heldIds())
                .containsExactlyInAnyOrder("unknown type", "fraction", "too much", "other partition key"));
        var broken = holds.list().stream()
                .filter(hold -> "s2".equals(hold.key().session()))
                .findFirst()
                .orElseThrow();
        HeldMessage message = holds.messages(broken.key(), 1).get(0);

        holds.edit(broken.key(), message.place(), content -> content.withProperties(Map.of("x", 1.5)), BY_ANNA);
        holds.release(broken.key(), BY_ANNA);

        awaitStored("orders", 2);
        await().untilAsserted(() ->
                assertThat(heldIds()).containsExactlyInAnyOrder("unknown type", "too much", "other partition key"));
    }

    @Test
    void a_message_without_the_session_that_its_queue_requires_is_held_alone() {
        append("orders", null, "without");
        append("orders", "s", "with");
        startRelay();

        awaitStored("orders", 1);

        await().untilAsserted(() -> assertThat(heldIds()).containsExactly("without"));
        assertThat(holds.list()).extracting(hold -> hold.cause().reason()).containsExactly("amqp:not-allowed");
    }
}
