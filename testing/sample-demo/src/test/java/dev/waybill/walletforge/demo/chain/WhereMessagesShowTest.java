package dev.waybill.walletforge.demo.chain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Where bodies and properties can be read, as docs/operations/security.md lists it: nowhere else. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class WhereMessagesShowTest {
    private static final AuditContext WORD = new AuditContext("ada", "for the test");
    private static final String BODY = "bodysecret";
    private static final String PROPERTY = "propertysecret";

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Level before = Level.INFO;
    private Chain chain;
    private DeadLetters letters;

    @BeforeEach
    void listen(TestDatabase database) {
        before = logger.getLevel();
        logger.setLevel(Level.TRACE);
        log.start();
        logger.addAppender(log);
        chain = new Chain(database);
        letters = DeadLetters.in(chain.dataSource, chain.schema);
    }

    @AfterEach
    void stop() throws Exception {
        chain.close();
        logger.detachAppender(log);
        logger.setLevel(before);
    }

    @Test
    void bodies_and_properties_stand_in_no_table_but_those_that_keep_messages_and_in_no_line_of_the_log() {
        var store = ClaimStore.inPostgres(chain.schema);
        EmbeddedServiceBus bus = chain.bus();
        chain.append(
                Outbox.builder()
                        .schema(chain.schema)
                        .claims(store)
                        .destination(Destination.of(Chain.QUEUE).withSessions().withClaimsAbove(1_000))
                        .build(),
                Stream.of("fine", "dead", "dead-edited", "dead-archived", "held", "held-skipped", "large", "later")
                        .map(WhereMessagesShowTest::message)
                        .toList());
        chain.relay(bus, relay -> relay.claims(store, Duration.ofDays(14)).retain(Chain.QUEUE, Duration.ofHours(1)));
        chain.consumer(bus, (tx, message) -> handle(message), consumer -> consumer.claims(store));
        chain.open(DeadLetterCollector.start(
                chain.dataSource,
                chain.schema,
                List.of(ServiceBusDeadLetters.ofQueue(() -> chain.connection(bus), Chain.QUEUE))));
        Holds holds = InboxHolds.in(chain.dataSource, chain.schema);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> letters.count(DeadLetterFilter.open()) == 3
                        && holds.list().size() == 2);
        decide(holds);

        assertThat(tablesWith(BODY))
                .containsExactlyInAnyOrder(
                        "outbox_published",
                        "outbox_scheduled",
                        "outbox_claim_body",
                        "inbox_held_message",
                        "operator_action",
                        "dead_letter_message",
                        "dead_letter_version",
                        "dead_letter_archive");
        assertThat(tablesWith(PROPERTY))
                .containsExactlyInAnyOrder(
                        "outbox_published",
                        "outbox_scheduled",
                        "inbox_held_message",
                        "operator_action",
                        "dead_letter_message",
                        "dead_letter_version",
                        "dead_letter_archive");
        assertThat(log.list)
                .as("the log says something at all")
                .anyMatch(event -> text(event).contains("dead-edited"));
        assertThat(List.copyOf(log.list)).noneMatch(event -> tells(text(event)));
    }

    private void decide(Holds holds) {
        Hold skipped = holds.list().stream()
                .filter(hold -> "s-held-skipped".equals(hold.key().session()))
                .findFirst()
                .orElseThrow();
        long place = holds.messages(skipped.key(), 1).get(0).place();
        holds.skip(skipped.key(), place, WORD);
        letters.list(DeadLetterFilter.open(), 0, 10).forEach(letter -> {
            if (letter.content().messageId().equals("dead-edited")) {
                letters.edit(letter.id(), content -> content.withBody("other".getBytes(UTF_8)), WORD);
            } else if (letter.content().messageId().equals("dead-archived")) {
                letters.discard(DeadLetterFilter.id(letter.id()), WORD);
            }
        });
        DeadLetterArchive.in(chain.dataSource, chain.schema).archiveClosed(Duration.ZERO, Duration.ofDays(42), WORD);
    }

    private static Verdict handle(InboundMessage message) {
        if (message.id().startsWith("dead")) {
            throw new IllegalStateException("This one is refused");
        }
        return message.id().startsWith("held") ? Verdict.retry(Duration.ofHours(1)) : Verdict.done();
    }

    private static OutboxMessage message(String id) {
        var message = OutboxMessage.to(Chain.QUEUE)
                .session("s-" + id)
                .id(id)
                .header("note", PROPERTY)
                .text(id.equals("large") ? BODY.repeat(200) : BODY);
        return (id.equals("later") ? message.notBefore(Instant.now().plusSeconds(3_600)) : message).build();
    }

    private Set<String> tablesWith(String secret) {
        var tables = new TreeSet<String>();
        for (String table : chain.dsl
                .fetch("select tablename from pg_tables where schemaname = {0}", DSL.inline(chain.schema.value()))
                .getValues(0, String.class)) {
            boolean tells = chain
                    .dsl
                    .fetch("select row::text from " + chain.schema.table(table) + " as row")
                    .getValues(0, String.class)
                    .stream()
                    .anyMatch(row -> forms(secret).anyMatch(row::contains));
            if (tells) {
                tables.add(table.replaceFirst("_\\d+$", ""));
            }
        }
        return tables;
    }

    private static boolean tells(String text) {
        return Stream.of(BODY, PROPERTY).flatMap(WhereMessagesShowTest::forms).anyMatch(text::contains);
    }

    // As it is, as PostgreSQL shows bytes, and as JSON has them: the first nine bytes in Base64 depend on nothing
    // behind them.
    private static Stream<String> forms(String secret) {
        String base64 =
                Base64.getEncoder().encodeToString(secret.substring(0, 9).getBytes(UTF_8));
        return Stream.of(secret, hex(secret), base64, hex(base64));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(UTF_8));
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage()
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
}
