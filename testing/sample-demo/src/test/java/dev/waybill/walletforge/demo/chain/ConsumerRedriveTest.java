package dev.waybill.walletforge.demo.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.inbox.DeadLetterRecord;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Outbox, broker, consumer, dead letter, and back. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class ConsumerRedriveTest {
    private static final AuditContext WORD = new AuditContext("ada", "fixed");

    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();
    private Chain chain;
    private EmbeddedServiceBus bus;
    private DeadLetters letters;
    private Redrives redrives;

    @BeforeEach
    void start(TestDatabase database) {
        chain = new Chain(database);
        bus = chain.bus();
        chain.relay(bus, relay -> relay);
        chain.consumer(bus, this::handle, consumer -> consumer);
        chain.open(DeadLetterCollector.start(
                chain.dataSource,
                chain.schema,
                List.of(ServiceBusDeadLetters.ofQueue(() -> chain.connection(bus), Chain.QUEUE))));
        letters = DeadLetters.in(chain.dataSource, chain.schema);
        redrives = Redrives.in(chain.dataSource, chain.schema);
    }

    @AfterEach
    void stop() throws Exception {
        chain.close();
    }

    @Test
    void a_redrive_through_the_outbox_is_handled_once_and_knows_its_past() throws Exception {
        refused.add("m1");
        append("m1");
        awaitDead(1);
        refused.clear();

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);

        await().until(() -> effects().equals(List.of("m1")));
        assertThat(seen.get("m1").redrive()).isTrue();
        assertThat(seen.get("m1").count()).isEqualTo(1);
        assertThat(seen.get("m1").history())
                .singleElement()
                .returns(Chain.QUEUE, DeadLetterRecord::entity)
                .returns("IllegalStateException", DeadLetterRecord::reason);
    }

    @Test
    void a_redrive_to_the_consumer_alone_passes_no_broker_and_stays_in_order_behind_what_is_held() throws Exception {
        List<String> dead = IntStream.range(0, 5).mapToObj(i -> "d" + i).toList();
        refused.addAll(dead);
        append(dead.toArray(String[]::new));
        awaitDead(5);
        long stored = bus.journal(Chain.QUEUE).storedCount();
        refused.clear();

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toConsumer("test"), WORD);
        append("later");

        await().until(() -> effects().size() == 6);
        assertThat(effects()).filteredOn(id -> id.startsWith("d")).containsExactlyElementsOf(dead);
        assertThat(bus.journal(Chain.QUEUE).storedCount()).isEqualTo(stored + 1);
        assertThat(mostInside).hasValue(1);
        assertThat(seen.get("d0").count()).isEqualTo(1);
        assertThat(seen.get("d0").history()).hasSize(1);
    }

    @Test
    void what_the_consumer_has_done_meanwhile_has_no_second_effect() throws Exception {
        refused.add("m1");
        append("m1");
        awaitDead(1);
        refused.clear();

        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        await().until(() -> effects().size() == 1);
        letters.reopen(DeadLetterFilter.everything(), WORD);
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD);
        letters.reopen(DeadLetterFilter.everything(), WORD);
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toConsumer("test"), WORD);
        append("m2");

        await().until(() -> effects().contains("m2") && bus.inspect(Chain.QUEUE).active() == 0);
        await().until(() -> holds() == 0);
        assertThat(effects()).containsExactlyInAnyOrder("m1", "m2");
    }

    private Verdict handle(DSLContext tx, InboundMessage message) {
        mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
            if (refused.contains(message.id())) {
                return Verdict.deadLetter("IllegalStateException", "poison");
            }
            seen.put(message.id(), new Seen(message.isRedrive(), message.redriveCount(), message.redriveHistory()));
            chain.effect(tx, "s", message.id());
            return Verdict.done();
        } finally {
            inside.decrementAndGet();
        }
    }

    private void append(String... ids) {
        chain.append(
                Outbox.builder().schema(chain.schema).build(),
                List.of(ids).stream()
                        .map(id -> OutboxMessage.to(Chain.QUEUE)
                                .session("s")
                                .id(id)
                                .text(id)
                                .build())
                        .toList());
    }

    private void awaitDead(int count) {
        await().atMost(Duration.ofSeconds(30)).until(() -> letters.count(DeadLetterFilter.open()) == count);
    }

    private List<String> effects() {
        return chain.dsl
                .fetch("select id from " + chain.schema.table("effect") + " order by n")
                .getValues(0, String.class);
    }

    private int holds() {
        return chain.dsl
                .fetchSingle("select count(*) from " + chain.schema.table("inbox_hold"))
                .get(0, Integer.class);
    }

    /** A message's past, as it told of it. */
    private record Seen(boolean redrive, long count, List<DeadLetterRecord> history) {}
}
