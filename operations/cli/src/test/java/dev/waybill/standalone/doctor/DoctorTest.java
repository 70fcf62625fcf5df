package dev.waybill.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.doctor.Finding.Severity;
import dev.waybill.standalone.servicebus.Bus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A healthy sample, in which nothing is found; each mistake is planted into it alone, and found. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class DoctorTest {
    private final Map<String, String> options = new HashMap<>();
    private final List<OutboxMessage> messages = new ArrayList<>();
    private UnaryOperator<QueueOptions> queue = healthy -> healthy;
    private UnaryOperator<EmbeddedServiceBusBuilder> broker = healthy -> healthy;
    private String defaultRule = "";

    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private @Nullable EmbeddedServiceBus bus;

    @BeforeEach
    void plant_nothing(TestDatabase database) {
        this.database = database;
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        dsl.execute("insert into %s.relay (id, name, alive_until, follows_entities, serving, destinations, states,"
                .concat(" since, details)")
                .concat(" values (gen_random_uuid(), 'r', 'infinity', false, '{}', '{}', '{}', '{}', '{}')")
                .formatted(schema));
        for (int i = 0; i < 200; i++) {
            messages.add(
                    message("customer-" + i % 40, "order-" + i, "order " + i).build());
        }
        options.put("database.main.url", database.server().jdbcUrl());
        options.put("database.main.schema", schema.value());
        options.put("namespace.main.tier", "premium");
        options.put("destination.orders.sessions", "true");
        options.put("destination.events.type", "topic");
        options.put("destination.events.subscription.fraud.rule.big", "amount > 100");
        options.put("consumer.ledger.entity", "orders");
        options.put("consumer.ledger.retention", "30d");
    }

    @AfterEach
    void close() {
        if (bus != null) {
            bus.close();
        }
    }

    @Test
    void on_the_healthy_sample_nothing_is_found() {
        assertThat(examine()).isEmpty();

        Result result = program().run("doctor", "--json");
        assertThat(result.json()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void mistake_1_a_queue_that_does_not_require_sessions() {
        queue = healthy -> healthy.requiresSession(false);

        assertOnly(Diagnosis.ORDER_INTERLEAVES, Severity.ERROR, "does not require sessions");
        Result result = program().run("doctor");
        assertThat(result.exitCode()).isEqualTo(20);
        assertThat(result.out()).contains("ERROR 1 order-interleaves at orders", "evidence:", "why:", "fix:");
    }

    @Test
    void mistake_1_a_constant_session_id() {
        messages.replaceAll(
                message -> message("all", message.id(), "x " + message.id()).build());

        assertOnly(Diagnosis.ORDER_INTERLEAVES, Severity.ERROR, "the same session id");
    }

    @Test
    void mistake_1_a_unique_session_id() {
        messages.replaceAll(message ->
                message(message.id(), message.id(), "x " + message.id()).build());

        assertOnly(Diagnosis.ORDER_INTERLEAVES, Severity.ERROR, "as many session ids");
    }

    @Test
    void mistake_2_fresh_ids_for_the_same_content() {
        for (int i = 0; i < 10; i++) {
            messages.add(
                    message("customer-7", "try-" + i, "the very same order").build());
        }

        assertOnly(Diagnosis.DUPLICATES_GET_THROUGH, Severity.WARNING, "under an id of their own");
    }

    @Test
    void mistake_2_a_window_shorter_than_the_relay_may_resend() {
        queue = healthy -> healthy.duplicateDetection(Duration.ofSeconds(30));

        assertOnly(Diagnosis.DUPLICATES_GET_THROUGH, Severity.ERROR, "its duplicate window is 30s");
    }

    @Test
    void mistake_2_detection_switched_off() {
        queue = healthy -> healthy.duplicateWindow(null);

        assertOnly(Diagnosis.DUPLICATES_GET_THROUGH, Severity.ERROR, "duplicate detection is off");
    }

    @Test
    void mistake_3_a_handler_that_outlasts_its_lock() {
        options.put("consumer.ledger.handler-time", "8m");

        assertOnly(Diagnosis.PROCESSED_TWICE, Severity.ERROR, "may take 8m, and it has a message for 5m");
    }

    @Test
    void mistake_3_prefetched_messages_whose_locks_run_out() {
        options.put("consumer.ledger.prefetch", "100");

        assertOnly(Diagnosis.PROCESSED_TWICE, Severity.WARNING, "100 messages sent ahead");
    }

    @Test
    void mistake_4_receive_and_delete() {
        options.put("consumer.ledger.receive-mode", "receive-and-delete");

        assertOnly(Diagnosis.VANISHES_ON_CRASH, Severity.ERROR, "receives and deletes");
    }

    @Test
    void mistake_5_dead_letters_nobody_looks_at() {
        EmbeddedServiceBus bus = start();
        try (var sender = new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender()
                .queueName("orders")
                .buildClient()) {
            sender.sendMessage(new ServiceBusMessage(BinaryData.fromString("x"))
                    .setSessionId("s")
                    .setTimeToLive(Duration.ofSeconds(1)));
        }
        bus.advance(Duration.ofMinutes(1));

        assertOnly(Diagnosis.DEAD_LETTERS_UNSEEN, Severity.WARNING, "1 dead letters");
    }

    @Test
    void mistake_6_a_message_that_is_delivered_for_ever() {
        queue = healthy -> healthy.maxDeliveryCount(2_000);

        assertOnly(Diagnosis.POISON_STALLS, Severity.WARNING, "up to 2000 times");
    }

    @Test
    void mistake_6_a_session_that_is_parked() {
        dsl.execute(
                "insert into %s.outbox_hold (destination, session_id, state, reason) values ('orders', 's', 'parked', 'r')"
                        .formatted(schema));

        assertOnly(Diagnosis.POISON_STALLS, Severity.WARNING, "1 hold waits for an operator");
    }

    @Test
    void mistake_7_a_message_sent_again_inside_the_window_under_its_old_id() {
        messages.add(message("customer-3", "order-3", "order 3, once more").build());

        assertOnly(Diagnosis.REDRIVE_LOSES, Severity.ERROR, "such as 'order-3': the broker drops them");
    }

    @Test
    void mistake_7_dead_letters_forwarded_to_where_their_ids_are_known() {
        queue = healthy -> healthy.forwardDeadLettersTo("second");
        broker = builder -> builder.queue("second", other -> other.duplicateDetection(Duration.ofMinutes(10)));

        assertOnly(Diagnosis.REDRIVE_LOSES, Severity.ERROR, "forwarded to second");
    }

    @Test
    void mistake_8_a_default_rule_that_was_left() {
        defaultRule = "1=1";

        assertOnly(Diagnosis.DEFAULT_RULE_LEFT, Severity.ERROR, "$Default lets everything in");
    }

    @Test
    void a_topic_without_a_subscription_accepts_messages_and_drops_them() {
        broker = builder -> builder.topic("lonely", topic -> topic.duplicateDetection(Duration.ofMinutes(10)));
        options.put("destination.lonely.type", "topic");

        assertOnly(Diagnosis.ENTITY, Severity.WARNING, "no subscription: the broker accepts its messages, and drops");
    }

    @Test
    void mistake_9_few_sessions() {
        messages.replaceAll(
                message -> message("region-" + message.id().hashCode() % 4, message.id(), "x " + message.id())
                        .build());

        assertOnly(Diagnosis.FEW_SESSIONS, Severity.WARNING, "share");
    }

    @Test
    void mistake_10_a_peak_that_a_shared_namespace_throttles() {
        for (int i = 0; i < 600; i++) {
            messages.add(message("customer-" + i % 40, "peak-" + i, "peak " + i).build());
        }
        start();
        dsl.execute("update %s.outbox_message set created_at = date_trunc('second', now())".formatted(schema));

        options.put("namespace.main.tier", "standard");
        assertThat(examine())
                .filteredOn(finding -> finding.mistake() == Diagnosis.THROTTLED_AT_PEAK)
                .singleElement()
                .satisfies(finding -> assertThat(finding.evidence()).contains("1600 credits"));
        // The embedded broker says that it is of another tier.
        assertThat(examine()).anySatisfy(finding -> {
            assertThat(finding.mistake().number()).isEqualTo(108);
            assertThat(finding.evidence()).contains("of tier Premium, declared as STANDARD");
            assertThat(finding.why()).contains("judge limits and features by the declared tier");
        });
    }

    @Test
    void mistake_11_a_deferred_message_that_nobody_asks_for() {
        dsl.execute("""
                insert into %s.inbox_deferral
                  (key, consumer, message_id, defer_key, sequence_number, enqueued_at, deferred_at)
                values (gen_random_uuid(), 'ledger', 'm', 'credit-check-7', 1, now(), now() - interval '3 days')
                """.formatted(schema));

        assertOnly(Diagnosis.DEFERRED_FORGOTTEN, Severity.WARNING, "credit-check-7");
    }

    @Test
    void mistake_12_no_right_to_send() {
        broker = builder -> builder.accessKey("Known", "the right key");
        EmbeddedServiceBus bus = start();
        options.put(
                "namespace.main.connection-string",
                bus.connectionString().replace("the right key", "d3JvbmcgYXMgaXQgY2FuIGJlIHdyb25n"));

        assertThat(examine())
                .filteredOn(finding -> finding.mistake() == Diagnosis.ROLE_MISSING)
                .extracting(Finding::where)
                .containsExactlyInAnyOrder("orders", "events");
    }

    @Test
    void mistake_13_a_message_that_is_too_large() {
        options.put("destination.orders.max-message-size", "200KiB");
        messages.add(message("customer-1", "large", "x".repeat(210 << 10)).build());

        assertOnly(Diagnosis.MESSAGE_TOO_LARGE, Severity.ERROR, "the limit is 204800");
    }

    @Test
    void mistake_14_messages_that_expire_without_a_trace() {
        queue = healthy -> healthy.deadLetterOnExpiration(false);

        assertOnly(Diagnosis.EXPIRES_SILENTLY, Severity.ERROR, "dropped after 14d");
    }

    @Test
    void ids_that_are_forgotten_before_a_dead_letter_comes_back() {
        options.put("consumer.ledger.retention", "14d");

        assertOnly(Diagnosis.FORGETS_TOO_EARLY, Severity.ERROR, "remembers ids for 14d");
    }

    @Test
    void an_outbox_that_nobody_publishes() {
        dsl.execute("update %s.relay set alive_until = now() - interval '1 minute'".formatted(schema));

        assertOnly(Diagnosis.NOT_PUBLISHING, Severity.ERROR, "no relay is alive");
    }

    @Test
    void a_consumer_whose_link_the_broker_refuses_is_named_with_the_brokers_words() {
        for (String alive : List.of("+ interval '1 hour'", "- interval '1 hour'")) {
            dsl.execute("""
                    insert into %s.inbox_instance (id, consumer, longest_attempt, trouble, alive_until)
                    values (gen_random_uuid(), 'ledger', 60000, 'amqp:not-allowed: orders requires sessions', now() %s)
                    """.formatted(schema, alive));
        }

        assertOnly(Diagnosis.NOT_PUBLISHING, Severity.ERROR, "1 process receives nothing: amqp:not-allowed");
        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.where()).endsWith(", ledger");
            assertThat(finding.fix()).contains("topology check", "not-receiving.md");
        });
    }

    @Test
    void tables_that_are_missing_and_grants_that_were_not_given() throws Exception {
        String role = schema + "_bare";
        database.execute("create role " + role);
        try {
            database.execute("grant usage on schema " + schema + " to " + role);
            database.execute("grant select on all tables in schema " + schema + " to " + role);
            database.execute("grant select on all sequences in schema " + schema + " to " + role);
            String url = database.server().jdbcUrl();
            options.put("database.main.url", url + (url.contains("?") ? "&" : "?") + "options=-c%20role=" + role);
            assertThat(examine()).isNotEmpty().allSatisfy(finding -> {
                assertThat(finding.mistake()).isEqualTo(Diagnosis.GRANTS);
                assertThat(finding.fix()).contains("grants print relay");
            });
        } finally {
            database.execute("drop owned by " + role);
            database.execute("drop role " + role);
        }
        options.put("database.main.url", database.server().jdbcUrl());
        options.put("database.main.schema", "nowhere_at_all");
        assertOnly(Diagnosis.TABLES, Severity.ERROR, "there is no outbox in schema 'nowhere_at_all'");
    }

    @Test
    void a_forgotten_transaction_that_keeps_vacuum_from_the_outbox_is_named() throws Exception {
        start();
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 1 from " + schema + ".outbox_message limit 1");

            var findings = new Findings();
            new TablesExamination(
                            Configuration.of(new Sources(options, Map.of(), Map.of(), Optional.empty()))
                                    .databases()
                                    .get(0),
                            database.dataSource(),
                            findings,
                            InstantSource.system(),
                            Set.of())
                    .vacuum(Duration.ZERO);

            assertThat(findings.sorted()).anySatisfy(finding -> {
                assertThat(finding.mistake()).isEqualTo(Diagnosis.VACUUM_DELAYED);
                assertThat(finding.fix()).contains("pg_terminate_backend");
            });
            connection.rollback();
        }
    }

    @Test
    void without_administration_it_says_what_it_could_not_verify() {
        options.put("namespace.main.administration", "false");

        List<Finding> findings = examine();

        assertThat(findings).isNotEmpty().allSatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.UNVERIFIED);
            assertThat(finding.evidence()).startsWith("cannot verify: ");
        });
    }

    @Test
    void a_broker_that_is_away_is_one_finding_with_its_host_and_its_cause() {
        EmbeddedServiceBus bus = start();
        dsl.execute("update %s.outbox_message set created_at = created_at - interval '5 minutes'".formatted(schema));
        bus.close();

        assertOnly(Diagnosis.BROKER_AWAY, Severity.ERROR, "refused");
        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.where()).startsWith("namespace main at 127.0.0.1:");
            assertThat(finding.fix()).startsWith("nc -vz 127.0.0.1 ");
        });
    }

    @Test
    @Tag("long")
    void an_administration_that_does_not_answer_is_one_finding_and_no_line_of_a_library() {
        start();
        options.put("namespace.main.administration-endpoint", "http://127.0.0.1:19");

        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.UNVERIFIED);
            assertThat(finding.where()).contains("orders", "events");
            assertThat(finding.evidence())
                    .contains("administration does not answer")
                    .contains("refused");
        });
        Result check = program().runProcess("topology", "check");
        assertThat(check.exitCode()).as("what it could not read may differ").isEqualTo(5);
        assertThat(check.err()).isBlank();
    }

    @Test
    void a_fix_can_be_pasted_with_the_names_of_the_namespace_and_the_entity() {
        queue = healthy -> healthy.deadLetterOnExpiration(false);

        assertThat(examine())
                .singleElement()
                .satisfies(
                        finding -> assertThat(finding.fix())
                                .startsWith("az servicebus queue update --resource-group ")
                                .endsWith(
                                        " --namespace-name 127 --name orders --enable-dead-lettering-on-message-expiration true"));
    }

    private static OutboxMessage.Builder message(String session, String id, String text) {
        return OutboxMessage.to("orders").session(session).id(id).text(text);
    }

    private void assertOnly(Diagnosis mistake, Severity severity, String evidence) {
        assertThat(examine()).singleElement().satisfies(finding -> {
            assertThat(finding.mistake()).isEqualTo(mistake);
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.evidence()).contains(evidence);
            assertThat(finding.fix()).isNotBlank();
        });
    }

    private List<Finding> examine() {
        start();
        Configuration configuration = Configuration.of(new Sources(options, Map.of(), Map.of(), Optional.empty()));
        var pools = new ArrayList<com.zaxxer.hikari.HikariDataSource>();
        try {
            return Doctor.examine(
                    configuration,
                    namespace -> new Bus(namespace).entities(),
                    settings -> {
                        var pool = dev.waybill.standalone.database.Pools.forCommand(settings);
                        pools.add(pool);
                        return pool;
                    },
                    InstantSource.system());
        } finally {
            pools.forEach(com.zaxxer.hikari.HikariDataSource::close);
        }
    }

    private EmbeddedServiceBus start() {
        if (bus != null) {
            return bus;
        }
        UnaryOperator<QueueOptions> received =
                healthy -> healthy.timeToLive(Duration.ofDays(14)).deadLetterOnExpiration();
        EmbeddedServiceBus started = broker.apply(EmbeddedServiceBus.builder()
                        .administrationPort(0)
                        .queue(
                                "orders",
                                healthy -> queue.apply(received.apply(healthy)
                                        .requiresSession()
                                        .duplicateDetection(Duration.ofMinutes(10))))
                        .topic(
                                "events",
                                topic -> topic.duplicateDetection(Duration.ofMinutes(10))
                                        .subscription("fraud", fraud -> {
                                            var ruled = fraud.delivery(received).sqlRule("big", "amount > 100");
                                            return defaultRule.isEmpty()
                                                    ? ruled
                                                    : ruled.sqlRule("$Default", defaultRule);
                                        })))
                .start();
        options.put("namespace.main.connection-string", started.connectionString());
        options.put("namespace.main.administration-endpoint", "http://127.0.0.1:" + started.administrationPort());
        var outbox = Outbox.builder().schema(schema).build();
        dsl.transaction(tx -> outbox.append(tx.dsl(), messages));
        // Not all in one second: this is no peak.
        dsl.execute("update %s.outbox_message set created_at = now() - (seq %% 50) * interval '1 second'"
                .formatted(schema));
        bus = started;
        return started;
    }

    private Program program() {
        return Program.with(directory, yaml());
    }

    // Flags in a file: each option's path as nested maps of one entry would clash, so they are grouped by hand.
    private String yaml() {
        var root = new java.util.TreeMap<String, Object>();
        options.forEach((name, value) -> {
            Map<String, Object> place = root;
            String[] path = name.split("\\.", -1);
            for (int i = 0; i < path.length - 1; i++) {
                @SuppressWarnings("unchecked")
                var next = (Map<String, Object>) place.computeIfAbsent(path[i], segment -> new java.util.TreeMap<>());
                place = next;
            }
            place.put(path[path.length - 1], value);
        });
        return new org.yaml.snakeyaml.Yaml().dump(root);
    }
}
