package dev.waybill.walletforge.demo.chain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.walletforge.demo.encryption.EnvelopeCodec;
import dev.waybill.walletforge.demo.encryption.KeyDirectory;
import dev.waybill.walletforge.demo.encryption.KeyFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A chain whose bodies are encrypted, with its keys in files. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
abstract class EncryptedChain {
    static final AuditContext WORD = new AuditContext("ada", "fixed");
    static final String SECRET = "secret";

    @TempDir
    Path directory;

    final Map<String, String> read = new ConcurrentHashMap<>();
    final Set<String> refused = ConcurrentHashMap.newKeySet();
    final Handler reading = (tx, message) -> {
        if (refused.contains(message.id())) {
            return Verdict.deadLetter("Refused", "for the test");
        }
        read.put(message.id(), message.text());
        return Verdict.done();
    };
    KeyDirectory keys;
    EnvelopeCodec codec;
    Chain chain;
    EmbeddedServiceBus bus;
    DeadLetters letters;
    Redrives redrives;

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

    String rotateAndRemove() {
        keys.rotateTo("2026-11");
        String key = keys.remove("2026-10");
        codec = restarted();
        return key;
    }

    /** A codec without any data key in its memory. */
    EnvelopeCodec restarted() {
        return EnvelopeCodec.of(KeyFiles.in(directory), Set.of(Chain.QUEUE));
    }

    void relay() {
        chain.relay(bus, relay -> relay);
    }

    InboxConsumer consume(OnFailure onFailure) {
        return chain.consumer(
                bus,
                reading,
                consumer ->
                        consumer.codec(codec).failures(EnvelopeCodec.FAILURES).onFailure(onFailure));
    }

    void collect() {
        chain.open(DeadLetterCollector.start(
                chain.dataSource,
                chain.schema,
                List.of(ServiceBusDeadLetters.ofQueue(() -> chain.connection(bus), Chain.QUEUE))));
    }

    void awaitDead(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> letters.count(DeadLetterFilter.open()) == count);
    }

    void append(OutboxMessage... messages) {
        append(Stream.of(messages));
    }

    void append(Stream<OutboxMessage> messages) {
        chain.append(Outbox.builder().schema(chain.schema).codec(codec).build(), messages.toList());
    }

    static OutboxMessage message(String id, int session) {
        return builder(id, session).build();
    }

    static OutboxMessage message(String id, int session, Instant notBefore) {
        return builder(id, session).notBefore(notBefore).build();
    }

    static OutboxMessage.Builder builder(String id, int session) {
        return OutboxMessage.to(Chain.QUEUE)
                .session("s" + session)
                .id(id)
                .subject("Noted")
                .text(SECRET + " " + id);
    }

    void assertNothingTells(String... tables) {
        String hex = HexFormat.of().formatHex(SECRET.getBytes(UTF_8));
        for (String table : tables) {
            assertThat(chain.dsl
                            .fetch("select row::text from " + chain.schema.table(table) + " as row")
                            .getValues(0, String.class))
                    .noneMatch(row -> row.contains(SECRET) || row.contains(hex));
        }
    }

    /** The question of docs/operations/security.md: how many messages still need which key. */
    Map<String, Long> keysOf(String table) {
        return chain.dsl
                .fetch("select headers::jsonb ->> 'encryption-key', count(*) from " + chain.schema.table(table)
                        + " group by 1")
                .intoMap(row -> String.valueOf(row.get(0)), row -> row.get(1, Long.class));
    }
}
