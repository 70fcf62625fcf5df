package dev.waybill.walletforge.chain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.OutboxReplay;
import dev.waybill.relay.ReplaySelection;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.walletforge.encryption.EncryptedLetters;
import dev.waybill.walletforge.encryption.EnvelopeCodec;
import dev.waybill.walletforge.encryption.KeyDirectory;
import dev.waybill.walletforge.encryption.KeyFiles;
import dev.waybill.walletforge.encryption.NotEncryptedException;
import dev.waybill.walletforge.encryption.TamperedMessageException;
import dev.waybill.walletforge.encryption.UnknownKeyException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted bodies, from the outbox to the handler, and what operators and intruders do on the way. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class EncryptedBodiesTest {
    private static final AuditContext WORD = new AuditContext("ada", "fixed");
    private static final String SECRET = "secret";

    @TempDir
    private Path directory;

    private final Map<String, String> read = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Handler reading = (tx, message) -> {
        if (refused.contains(message.id())) {
            return Verdict.deadLetter("Refused", "for the test");
        }
        read.put(message.id(), message.text());
        return Verdict.done();
    };
    private KeyDirectory keys;
    private EnvelopeCodec codec;
    private Chain chain;
    private EmbeddedServiceBus bus;
    private DeadLetters letters;
    private Redrives redrives;

    @BeforeEach
    void start(TestDatabase database) {
        keys = new KeyDirectory(directory).rotateTo("2026-10");
        codec = restarted();
        chain = new Chain(database);
        bus = chain.bus();
        letters = DeadLetters.in(chain.dataSource, chain.schema);
        redrives = Redrives.in(chain.dataSource, chain.schema);
    }

    @AfterEach
    void stop() throws Exception {
        chain.close();
    }

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
        var relay = chain.relay(bus, settings -> settings);
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
        assertThat(keysOf("outbox_message")).containsEntry("2026-10", 23L).containsEntry("2026-11", 20L);
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
        await().until(() -> keysOf("held_message").getOrDefault("2026-10", 0L) == 3);
        assertThat(read).isEmpty();
        assertNothingTells("held_message", "hold");

        keys.write("2026-10", key);
        var holds = InboxHolds.in(chain.dataSource, chain.schema);
        holds.list().forEach(hold -> holds.release(hold.key(), WORD));

        await().until(() -> read.size() == 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void bodies_that_are_changed_or_swapped_in_the_table_are_found_and_the_others_are_handled(int batch) {
        append(message("changed", 1), message("a", 1), message("b", 1), message("honest", 1));
        String outbox = chain.schema.table("outbox_message");
        chain.dsl.execute(
                "update " + outbox
                        + " set payload = set_byte(payload, 20, (get_byte(payload, 20) + 1) % 256) where message_id = 'changed'");
        chain.dsl.execute("update " + outbox + " as one set payload = other.payload, headers = other.headers from "
                + outbox + " as other where (one.message_id, other.message_id) in (('a', 'b'), ('b', 'a'))");
        relay();
        collect();
        chain.consumer(
                bus,
                reading,
                consumer ->
                        consumer.codec(codec).failures(EnvelopeCodec.FAILURES).batch(batch));

        await().until(() -> read.containsKey("honest"));
        awaitDead(3);
        assertThat(read).containsOnlyKeys("honest");
        assertThat(letters.list(DeadLetterFilter.open(), 0, 10))
                .extracting(letter -> letter.death().reason())
                .containsOnly(TamperedMessageException.class.getName());
    }

    @Test
    void plain_text_that_somebody_sends_past_the_outbox_is_not_handled() {
        chain.append(Outbox.builder().schema(chain.schema).build(), List.of(message("forged", 1)));
        relay();
        collect();
        consume(OnFailure.DEAD_LETTER);

        awaitDead(1);
        assertThat(letters.list(DeadLetterFilter.open(), 0, 1).get(0).death().reason())
                .isEqualTo(NotEncryptedException.class.getName());
        assertThat(read).isEmpty();
    }

    @Test
    void an_encrypted_dead_letter_is_repaired_where_the_keys_are_and_nowhere_else() throws Exception {
        refused.addAll(Set.of("m1", "m2"));
        append(message("m1", 1), message("m2", 1));
        relay();
        collect();
        consume(OnFailure.DEAD_LETTER);
        awaitDead(2);
        keys.rotateTo("2026-11");
        codec = restarted();
        var repair = new EncryptedLetters(letters, codec);
        List<DeadLetter> dead = letters.list(DeadLetterFilter.open(), 0, 10);

        assertThat(repair.read(dead.get(0).id())).asString().isEqualTo(SECRET + " m1");
        repair.edit(dead.get(0).id(), body -> (new String(body, UTF_8) + ", repaired").getBytes(UTF_8), WORD);
        letters.edit(
                dead.get(1).id(), content -> content.withBody("repaired by hand, without keys".getBytes(UTF_8)), WORD);
        assertThatThrownBy(() -> repair.read(dead.get(1).id())).hasMessageContaining("not as it was written");
        assertNothingTells("dead_letter_message", "dead_letter_version", "dead_letter_audit");
        refused.clear();
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        await().until(() -> (SECRET + " m1, repaired").equals(read.get("m1")));
        awaitDead(1);
        assertThat(letters.list(DeadLetterFilter.open(), 0, 1).get(0).death().reason())
                .isEqualTo(TamperedMessageException.class.getName());
        assertThat(read).containsOnlyKeys("m1");
    }

    @Test
    void what_a_handler_says_when_it_throws_is_plain_text_wherever_failures_are_told() {
        append(message("m1", 1));
        relay();
        collect();
        chain.consumer(
                bus,
                (tx, message) -> {
                    throw new IllegalArgumentException("Cannot read " + message.text());
                },
                consumer -> consumer.codec(codec));

        awaitDead(1);
        DeadLetter dead = letters.list(DeadLetterFilter.open(), 0, 1).get(0);
        assertThat(dead.death().description()).contains("Cannot read " + SECRET + " m1");
        assertThat(new String(dead.content().body(), UTF_8)).doesNotContain(SECRET);
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

    private String rotateAndRemove() {
        keys.rotateTo("2026-11");
        String key = keys.remove("2026-10");
        codec = restarted();
        return key;
    }

    /** A codec without any data key in its memory. */
    private EnvelopeCodec restarted() {
        return EnvelopeCodec.of(KeyFiles.in(directory), Set.of(Chain.QUEUE));
    }

    private void relay() {
        chain.relay(bus, relay -> relay);
    }

    private InboxConsumer consume(OnFailure onFailure) {
        return chain.consumer(
                bus,
                reading,
                consumer ->
                        consumer.codec(codec).failures(EnvelopeCodec.FAILURES).onFailure(onFailure));
    }

    private void collect() {
        chain.open(DeadLetterCollector.start(
                chain.dataSource,
                chain.schema,
                List.of(ServiceBusDeadLetters.ofQueue(() -> chain.connection(bus), Chain.QUEUE))));
    }

    private void awaitDead(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> letters.count(DeadLetterFilter.open()) == count);
    }

    private void append(OutboxMessage... messages) {
        append(Stream.of(messages));
    }

    private void append(Stream<OutboxMessage> messages) {
        chain.append(Outbox.builder().schema(chain.schema).codec(codec).build(), messages.toList());
    }

    private static OutboxMessage message(String id, int session) {
        return builder(id, session).build();
    }

    private static OutboxMessage message(String id, int session, Instant notBefore) {
        return builder(id, session).notBefore(notBefore).build();
    }

    private static OutboxMessage.Builder builder(String id, int session) {
        return OutboxMessage.to(Chain.QUEUE)
                .session("s" + session)
                .id(id)
                .subject("Noted")
                .text(SECRET + " " + id);
    }

    private void assertNothingTells(String... tables) {
        String hex = HexFormat.of().formatHex(SECRET.getBytes(UTF_8));
        for (String table : tables) {
            assertThat(chain.dsl
                            .fetch("select row::text from " + chain.schema.table(table) + " as row")
                            .getValues(0, String.class))
                    .noneMatch(row -> row.contains(SECRET) || row.contains(hex));
        }
    }

    /** The question of docs/operations/security.md: how many messages still need which key. */
    private Map<String, Long> keysOf(String table) {
        return chain.dsl
                .fetch("select headers::jsonb ->> 'encryption-key', count(*) from " + chain.schema.table(table)
                        + " group by 1")
                .intoMap(row -> String.valueOf(row.get(0)), row -> row.get(1, Long.class));
    }
}
