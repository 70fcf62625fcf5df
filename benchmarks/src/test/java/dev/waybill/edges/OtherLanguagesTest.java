package dev.waybill.edges;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.WireContract;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.fault.FaultRule;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inboxes of docs/guides/other-languages.md, with Azure's own client of each language. */
@Tag("long")
@Timeout(300)
class OtherLanguagesTest {
    private static final int MESSAGES = 200;
    private static final int SESSIONS = 10;
    private static final int KILLED_AFTER = 100;

    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus ->
                    bus.queue("wallet-tx", queue -> queue.requiresSession().lockDuration(Duration.ofSeconds(10))))
            .prepared(dataSource -> DSL.using(dataSource, SQLDialect.POSTGRES)
                    .execute(Files.readString(Path.of("../examples/javascript/tables.sql"))));

    @ParameterizedTest
    @EnumSource
    void lost_completions_and_a_killed_process_change_no_effect_and_no_order(
            ForeignLanguage language, TestWaybill waybill, DataSource dataSource) throws Exception {
        Path directory = language.install();
        FaultHandle lost = completions(waybill).after(20).every(9).times(5).then(FaultAction.pretend());
        FaultHandle cut = completions(waybill).after(50).times(1).then(FaultAction.dropConnection());
        appendAll(waybill);
        waybill.startRelay("wallet-tx");

        try (var first = language.start(directory, database(dataSource), waybill.connectionString())) {
            FaultHandle kill = completions(waybill)
                    .after(KILLED_AFTER)
                    .times(1)
                    .onHit(event -> first.kill())
                    .then(FaultAction.dropConnection());
            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(
                            () -> assertThat(first.isAlive()).as(first.output()).isFalse());
            assertThat(kill.hits()).as(first.output()).isOne();
        }
        assertThat(booked(dataSource)).as("there is work left").hasSizeLessThan(MESSAGES);
        try (var second = language.start(directory, database(dataSource), waybill.connectionString())) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(
                                    waybill.bus().inspect("wallet-tx").counts().total())
                            .as(second.output())
                            .isZero());
        }

        assertThat(lost.hits()).isEqualTo(5);
        assertThat(cut.hits()).isOne();
        assertThat(waybill.bus().journal("wallet-tx").deliveryCount()).isGreaterThan(MESSAGES + 5);
        assertThat(bySession(booked(dataSource))).isEqualTo(bySession(ids()));
    }

    @ParameterizedTest
    @EnumSource
    void the_id_of_a_message_is_the_one_that_waybill_finds(ForeignLanguage language) throws Exception {
        String digest = "0123456789abcdefghijklmnop";
        List<Ids> all = List.of(
                new Ids("a", "a", "a"),
                Ids.notOurs("b", "a"),
                new Ids("a~" + digest, "a", "a"),
                Ids.notOurs("b~" + digest, "a"),
                Ids.notOurs("a~" + digest.toUpperCase(Locale.ROOT), "a"),
                Ids.notOurs("a~" + digest + "x", "a"),
                Ids.notOurs("a~x", "a"),
                Ids.notOurs("aab~" + digest, "a+b"),
                Ids.notOurs("~" + digest, ""),
                Ids.copyOf("two\nlines"),
                Ids.copyOf("x".repeat(101)),
                Ids.copyOf("x".repeat(128)),
                Ids.copyOf("\uD83D\uDE00".repeat(64)),
                Ids.copyOf("x" + "\uD83D\uDE00".repeat(63)));

        assertThat(language.idsOf(language.install(), all))
                .isEqualTo(all.stream().map(Ids::id).toList());
        assertThat(all)
                .allSatisfy(
                        ids -> assertThat(!ids.property.isEmpty() && WireContract.isIdOf(ids.messageId, ids.property))
                                .isEqualTo(ids.id.equals(ids.property)));
    }

    /** A MessageId, the property that came with it, and the id of the two. */
    record Ids(String messageId, String property, String id) {
        static Ids notOurs(String messageId, String property) {
            return new Ids(messageId, property, messageId);
        }

        static Ids copyOf(String id) {
            return new Ids(WireContract.redriveId(id, "origin"), id, id);
        }
    }

    private static FaultRule completions(TestWaybill waybill) {
        return waybill.bus()
                .faults()
                .at(FaultPoint.BEFORE_SETTLE)
                .entity("wallet-tx")
                .operation("completed");
    }

    private static void appendAll(TestWaybill waybill) {
        for (String id : ids()) {
            OutboxMessage message = OutboxMessage.to("wallet-tx")
                    .session(session(id))
                    .id(id)
                    .json("{\"cents\": 250}")
                    .build();
            waybill.outbox().inTransaction(tx -> waybill.outbox().append(tx, message));
        }
    }

    private static List<String> ids() {
        return IntStream.range(0, MESSAGES)
                .mapToObj(i -> "w-" + i % SESSIONS + "/debit-" + i)
                .toList();
    }

    private static String session(String id) {
        return id.substring(0, id.indexOf('/'));
    }

    private static Map<String, List<String>> bySession(List<String> ids) {
        return ids.stream().collect(groupingBy(OtherLanguagesTest::session, mapping(id -> id, toList())));
    }

    private static List<String> booked(DataSource dataSource) {
        DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        return dsl.fetch("select message from booking where message like wallet || '/%' order by place")
                .getValues(0, String.class);
    }

    /** As other languages write it. */
    private static String database(DataSource dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getURL().replaceFirst("jdbc:", "");
        }
    }
}
