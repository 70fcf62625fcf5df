package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Relays on a real proxy of Spring that gives out the connection of the thread's transaction. */
@ExtendWith(TestService.Extension.class)
@Timeout(60)
class TransactionAwareRelayTest {
    private TestService service;
    private String queue;
    private HikariDataSource pool;
    private TransactionAwareDataSourceProxy proxy;
    private TransactionTemplate transaction;
    private JdbcTemplate jdbc;

    @BeforeEach
    void take_a_pool_and_a_queue(TestService service) {
        this.service = service;
        queue = service.newQueue();
        pool = service.newPool(config -> {
            config.addDataSourceProperty("ApplicationName", "turns-" + queue);
            return config;
        });
        proxy = new TransactionAwareDataSourceProxy(pool);
        jdbc = new JdbcTemplate(pool);
        transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    @AfterEach
    void close_the_pool() {
        pool.close();
    }

    @Test
    void a_relay_that_is_started_outside_a_transaction_publishes() {
        try (Relay relay = relay().start()) {
            append("m1");
            relay.wake();

            await().until(() -> service.bus().journal(queue).storedCount() == 1);
        }
    }

    @Test
    void a_relay_that_is_started_in_a_transaction_that_has_written_is_refused_and_what_was_written_goes_back() {
        try (Relay relay = relay().build()) {
            transaction.executeWithoutResult(status -> {
                book("a");
                assertThatThrownBy(relay::start).hasMessageContaining("inside an open transaction");
                status.setRollbackOnly();
            });
        }

        assertThat(service.bookings(queue)).isEmpty();
    }

    @Test
    void what_a_transaction_writes_after_it_has_started_a_relay_goes_back() {
        try (Relay relay = relay().build()) {
            transaction.executeWithoutResult(status -> {
                relay.start();
                book("a");
                status.setRollbackOnly();
            });
            append("m1");

            await().until(() -> service.bus().journal(queue).storedCount() == 1);
        }

        assertThat(service.bookings(queue)).isEmpty();
    }

    @Test
    void single_turns_in_a_transaction_that_has_not_written_yet_are_refused() {
        try (Relay relay = relay().build()) {
            assertRefusedAndRolledBack(relay);
        }
    }

    /** The loop has lost its connection, and must not take the caller's in its place. */
    @Test
    void a_later_turn_whose_connection_was_lost_takes_none_of_the_callers_transaction() {
        try (Relay relay = relay().build()) {
            relay.publishCommitted();
            new JdbcTemplate(service.pool())
                    .queryForList(
                            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = ?",
                            "turns-" + queue);
            pool.getHikariPoolMXBean().softEvictConnections();
            assertThatThrownBy(relay::publishCommitted).isInstanceOf(DataAccessException.class);

            assertRefusedAndRolledBack(relay);

            append("m1");
            assertThat(relay.publishCommitted()).isEqualTo(1);
        }
    }

    /** Without a transaction, but with a scope that keeps one connection for the thread. */
    @Test
    void single_turns_in_a_scope_that_keeps_one_connection_are_refused() {
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
        try (Relay relay = relay().build()) {
            transaction.executeWithoutResult(
                    status -> assertThatThrownBy(relay::publishCommitted).hasMessageContaining("one connection"));
        }
    }

    private void assertRefusedAndRolledBack(Relay relay) {
        transaction.executeWithoutResult(status -> {
            assertThatThrownBy(relay::publishCommitted).hasMessageContaining("one connection");
            book("a");
            status.setRollbackOnly();
        });
        assertThat(service.bookings(queue)).isEmpty();
    }

    private void book(String what) {
        jdbc.update("insert into booking (what) values (?)", queue + what);
    }

    private void append(String id) {
        transaction.executeWithoutResult(status -> {
            try (var connection = proxy.getConnection()) {
                Outbox.builder()
                        .schema(service.schema())
                        .build()
                        .append(
                                connection,
                                OutboxMessage.to(queue).id(queue + id).text(id).build());
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Relay.Builder relay() {
        return Relay.builder(proxy)
                .schema(service.schema())
                .destination(queue)
                .publisher(ServiceBusPublisher.of(service.bus().connectionString()));
    }
}
