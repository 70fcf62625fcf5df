package dev.waybill.jakarta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.Verdict;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.DriverConnection;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import jakarta.transaction.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers that call services whose transactions Narayana keeps, through the real SDK. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class JakartaTransactionBoundaryTest {
    private static final RetryPolicy BRIEFLY =
            new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(20));

    private final AtomicInteger tries = new AtomicInteger();
    private TestDatabase database;
    private DataSource pool;
    private SchemaName schema;
    private EmbeddedServiceBus bus;
    private NarayanaTransactions narayana;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        pool = database.dataSource();
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        narayana = new NarayanaTransactions(database.dataSource());
        narayana.repository().execute("create table " + schema.table("booked") + " (id text)");
        bus = EmbeddedServiceBus.builder()
                .queue("orders", queue -> queue.requiresSession())
                .start();
    }

    @AfterEach
    void stop() {
        bus.close();
        narayana.enlisted.close();
    }

    @Test
    void a_handler_that_calls_a_transactional_service_and_fails_twice_has_its_effects_once() {
        handled((tx, message) -> {
            narayana.service(() -> book(message));
            if (tries.incrementAndGet() < 3) {
                throw new IOException("after the service");
            }
            return Verdict.done();
        });

        assertThat(tries).hasValue(3);
        assertThat(booked()).containsExactly("m1");
    }

    @Test
    @Tag("long")
    void one_enlisted_pool_serves_the_consumer_and_its_handlers() {
        pool = narayana.enlisted;

        handled((tx, message) -> {
            narayana.service(() -> book(message));
            if (tries.incrementAndGet() < 3) {
                throw new IOException("after the service");
            }
            return Verdict.done();
        });

        assertThat(booked()).containsExactly("m1");
    }

    @Test
    void a_service_that_failed_and_was_forgiven_by_its_caller_completes_no_message() {
        handled((tx, message) -> {
            narayana.service(() -> book(message));
            if (tries.incrementAndGet() == 1) {
                assertThatThrownBy(() -> narayana.service(() -> {
                            throw new IOException("no such wallet");
                        }))
                        .isInstanceOf(IOException.class);
            }
            return Verdict.done();
        });

        assertThat(tries).hasValue(2);
        assertThat(booked()).containsExactly("m1");
    }

    @Test
    void a_deadlock_that_is_met_at_the_commit_is_worth_another_try() {
        narayana.repository()
                .execute("create function " + schema.table("refuse") + "() returns trigger language plpgsql as $$ begin"
                        + " if (select count(*) from " + schema.table("attempt") + ") < 3 then"
                        + " raise exception 'as in a deadlock' using errcode = '40P01'; end if; return null; end $$");
        DSLContext apart = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        apart.execute("create table " + schema.table("attempt") + " (n int)");
        apart.execute("create constraint trigger late after insert on " + schema.table("booked")
                + " deferrable initially deferred for each row execute function " + schema.table("refuse") + "()");

        handled((tx, message) -> {
            apart.execute("insert into " + schema.table("attempt") + " values (1)");
            tries.incrementAndGet();
            book(message);
            return Verdict.done();
        });

        assertThat(tries).hasValue(3);
        assertThat(booked()).containsExactly("m1");
    }

    @Test
    void work_in_a_transaction_of_its_own_happens_with_each_try_because_nobody_tells() {
        handled((tx, message) -> {
            narayana.requiresNew(() -> book(message));
            if (tries.incrementAndGet() < 3) {
                throw new IOException("after the service");
            }
            return Verdict.done();
        });

        assertThat(booked()).containsExactly("m1", "m1", "m1");
    }

    @Test
    @Tag("long")
    void a_handler_that_outlasts_every_limit_leaves_nothing_outside_its_transaction() throws Exception {
        TransactionBoundary.Transaction late = narayana.boundary().begin(Duration.ofSeconds(1));
        // A manager that has rolled back lets the pool hand out connections that commit by themselves.
        await().pollInSameThread().pollDelay(Duration.ofSeconds(3)).until(() -> true);

        narayana.repository().execute("insert into " + schema.table("booked") + " values ('late')");
        late.rollBack();

        assertThat(booked()).isEmpty();
        assertThat(narayana.manager.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
    }

    @Test
    void a_handler_whose_connection_was_cut_leaves_nothing_outside_its_transaction() throws Exception {
        TransactionBoundary.Transaction cut = narayana.boundary().begin(Duration.ofSeconds(1));
        cut.connection().abort(Runnable::run);

        // Whether the pool gives another one or none is its affair.
        Throwable refused = catchThrowable(
                () -> narayana.repository().execute("insert into " + schema.table("booked") + " values ('late')"));
        cut.rollBack();

        assertThat(booked()).as("after %s", refused).isEmpty();
        assertThat(narayana.manager.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
    }

    @Test
    void a_connection_that_is_cut_keeps_no_locks_although_its_pool_keeps_the_abort_to_itself() throws Exception {
        narayana.repository().execute("insert into " + schema.table("booked") + " values ('before')");
        TransactionBoundary.Transaction hung = narayana.boundary().begin(Duration.ofSeconds(1));
        narayana.repository().execute("update " + schema.table("booked") + " set id = 'changed'");

        DriverConnection.abort(hung.connection());

        DSL.using(pool, SQLDialect.POSTGRES).transaction(other -> {
            other.dsl().execute("set local lock_timeout = '10s'");
            other.dsl().execute("delete from " + schema.table("booked"));
        });
        hung.rollBack();
        assertThat(booked()).isEmpty();
    }

    @Test
    void a_transaction_that_the_manager_has_rolled_back_leaves_nothing_in_the_thread() throws Exception {
        TransactionBoundary.Transaction ended = narayana.boundary().begin(Duration.ofSeconds(1));
        narayana.manager.setRollbackOnly();
        assertThat(ended.isRollbackOnly()).isTrue();

        assertThatThrownBy(ended::commit).isNotNull();
        assertThat(narayana.manager.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
    }

    @Test
    @Tag("long")
    void a_thread_that_has_a_transaction_gets_no_second_one() throws Exception {
        narayana.manager.begin();
        try {
            assertThatThrownBy(() -> narayana.boundary().begin(Duration.ofSeconds(1)))
                    .hasMessageContaining("has a transaction already");
        } finally {
            narayana.manager.rollback();
        }
    }

    @Test
    void a_data_source_that_the_manager_does_not_know_is_refused_at_the_start() {
        try (var stranger = PostgresServer.pool(database.server().jdbcUrl(), 2);
                var consumer = consumer(
                        new JakartaTransactionBoundary(narayana.user, stranger), (tx, message) -> Verdict.done())) {
            assertThatThrownBy(consumer::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not enlisted with the manager");
        }
    }

    @Test
    void a_handler_that_leaves_its_transaction_suspended_behind_another_one_is_tried_again() {
        handled((tx, message) -> {
            book(message);
            if (tries.incrementAndGet() == 1) {
                narayana.manager.suspend();
                narayana.manager.begin();
            }
            return Verdict.done();
        });

        assertThat(booked()).containsExactly("m1");
        assertThat(tries).hasValue(2);
    }

    @Test
    void a_handler_that_leaves_its_transaction_suspended_is_tried_again() {
        handled((tx, message) -> {
            book(message);
            if (tries.incrementAndGet() == 1) {
                narayana.manager.suspend();
            }
            return Verdict.done();
        });

        assertThat(booked()).containsExactly("m1");
        assertThat(tries).hasValue(2);
    }

    private void handled(Handler handler) {
        try (var consumer = consumer(narayana.boundary(), handler)) {
            consumer.start();
            send("m1");
            await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> {
                assertThat(bus.journal("orders").storedCount()).isEqualTo(1);
                assertThat(bus.inspect("orders").active()).isZero();
            });
        }
        assertThat(bus.inspect("orders").deadLetters()).isZero();
    }

    private InboxConsumer consumer(TransactionBoundary boundary, Handler handler) {
        return InboxConsumer.builder(pool)
                .schema(schema)
                .name("booking")
                .transactions(boundary)
                .source(ServiceBusSource.ofQueue(this::client, "orders").withSessions())
                .handler(handler)
                .retries(BRIEFLY)
                .concurrency(2)
                .build();
    }

    private boolean book(InboundMessage message) {
        narayana.repository().execute("insert into " + schema.table("booked") + " values ({0})", DSL.val(message.id()));
        return true;
    }

    private List<String> booked() {
        return narayana.repository()
                .fetch("select id from " + schema.table("booked"))
                .getValues(0, String.class);
    }

    private ServiceBusClientBuilder client() {
        return new ServiceBusClientBuilder().connectionString(bus.connectionString());
    }

    private void send(String id) {
        try (var sender = client().sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("x").setMessageId(id).setSessionId("s"));
        }
    }
}
