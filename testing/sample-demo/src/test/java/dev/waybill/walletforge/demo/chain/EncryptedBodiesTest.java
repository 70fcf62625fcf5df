package dev.waybill.walletforge.demo.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplaySelection;
import dev.waybill.walletforge.demo.encryption.UnknownKeyException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Encrypted bodies, from the outbox to the handler, while keys come and go. */
class EncryptedBodiesTest extends EncryptedChain {
    @Test
    void nobody_but_the_handler_sees_plain_text() throws Exception {
        refused.add("m1");
        append(message("m1", 1), message("later", 1, Instant.now().plusSeconds(3_600)));
        assertNothingTells("outbox_message", "outbox_scheduled");
        relay();
        await().until(() -> bus.journal(Chain.QUEUE).storedCount() == 1);
        try (var receiver =
                chain.connection(bus).receiver().queueName(Chain.QUEUE).buildClient()) {
            ServiceBusReceivedMessage sent = receiver.peekMessage();
            assertThat(sent.getBody().toString() + sent.getApplicationProperties())
                    .contains("2026-10")
                    .doesNotContain(SECRET);
        }

        consume(OnFailure.DEAD_LETTER);
        collect();
        awaitDead(1);

        assertThat(read).isEmpty();
        assertNothingTells("dead_letter_message", "message_event");
        refused.clear();
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        await().until(() -> (SECRET + " m1").equals(read.get("m1")));
    }

    @Test
    void a_rotation_in_the_middle_of_a_backlog_leaves_all_readable_wherever_it_waits() throws Exception {
        refused.add("dead");
        append(message("dead", 9));
        var relay = chain.relay(bus, settings -> settings.retain(Chain.QUEUE, Duration.ofHours(1)));
        collect();
        var first = consume(OnFailure.DEAD_LETTER);
        awaitDead(1);
        first.close();
        append(IntStream.range(0, 20).mapToObj(i -> message("old" + i, i % 4)));
        append(message("scheduled", 1, Instant.now().plusSeconds(1)));

        keys.rotateTo("2026-11");
        codec = restarted();
        append(IntStream.range(0, 20).mapToObj(i -> message("new" + i, i % 4)));
        refused.clear();
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        var second = consume(OnFailure.DEAD_LETTER);

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(read).hasSize(42));
        assertThat(read).allSatisfy((id, text) -> assertThat(text).isEqualTo(SECRET + " " + id));
        assertThat(keysOf("outbox_published")).containsEntry("2026-10", 23L).containsEntry("2026-11", 20L);
        second.close();
        relay.close();
        read.clear();
        var replay = OutboxReplay.of(chain.dataSource, chain.schema);
        replay.finish(replay.begin(ReplaySelection.of(Chain.QUEUE), "namespace lost"));
        bus = chain.bus();
        relay();
        chain.consumer(bus, reading, consumer -> consumer.name("another").codec(codec));
        await().atMost(Duration.ofSeconds(30)).until(() -> read.containsKey("old0") && read.containsKey("new19"));
    }

    @Test
    void a_key_that_is_gone_makes_dead_letters_that_name_it_and_its_return_brings_them_back() throws Exception {
        append(message("m1", 1));
        String key = rotateAndRemove();
        append(message("m2", 1));
        relay();
        collect();
        consume(OnFailure.DEAD_LETTER);

        await().until(() -> read.containsKey("m2"));
        awaitDead(1);
        DeadLetter dead = letters.list(DeadLetterFilter.open(), 0, 1).get(0);
        assertThat(dead.death().reason()).isEqualTo(UnknownKeyException.class.getName());
        assertThat(dead.death().description()).contains("'2026-10'").contains("[2026-11]");
        keys.write("2026-10", key);
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        await().until(() -> (SECRET + " m1").equals(read.get("m1")));
    }

    @Test
    void a_key_that_is_gone_holds_the_session_in_order_where_that_is_the_policy() {
        append(message("m1", 1), message("m2", 1), message("other", 2));
        String key = rotateAndRemove();
        relay();
        consume(OnFailure.HOLD_SESSION);
        await().until(() -> keysOf("inbox_held_message").getOrDefault("2026-10", 0L) == 3);
        assertThat(read).isEmpty();
        assertNothingTells("inbox_held_message", "inbox_hold");

        keys.write("2026-10", key);
        var holds = InboxHolds.in(chain.dataSource, chain.schema);
        holds.list().forEach(hold -> holds.release(hold.key(), WORD));

        await().until(() -> read.size() == 3);
    }

    @Test
    void a_large_body_is_encrypted_where_it_is_kept() {
        var store = ClaimStore.inPostgres(chain.schema);
        var outbox = Outbox.builder()
                .schema(chain.schema)
                .codec(codec)
                .claims(store)
                .destination(Destination.of(Chain.QUEUE).withSessions().withClaimsAbove(1_000))
                .build();
        String large = SECRET.repeat(1_000);
        chain.append(
                outbox,
                List.of(OutboxMessage.to(Chain.QUEUE)
                        .session("s1")
                        .id("large")
                        .text(large)
                        .build()));
        assertNothingTells("outbox_claim_body");
        chain.relay(bus, relay -> relay.claims(store, Duration.ofDays(14)));

        chain.consumer(bus, reading, consumer -> consumer.codec(codec).claims(store));

        await().until(() -> large.equals(read.get("large")));
    }
}
