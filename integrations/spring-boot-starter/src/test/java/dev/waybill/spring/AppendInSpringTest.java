package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.NoTransactionException;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.outbox.WakeChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An append without a connection is in Spring's transaction, or it is refused; whatever the pool's auto-commit
 * says.
 */
@ExtendWith(TestService.Extension.class)
class AppendInSpringTest {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final String destination = "appended-" + NUMBERS.incrementAndGet();
    private TestService service;
    private HikariDataSource pool;
    private PlatformTransactionManager manager;
    private Outbox outbox;

    @BeforeEach
    void make_an_outbox_on_a_pool_without_auto_commit(TestService service) {
        this.service = service;
        pool = service.newPool(config -> {
            config.setAutoCommit(false);
            return config;
        });
        manager = new JdbcTransactionManager(pool);
        outbox = outbox(pool, manager);
    }

    @AfterEach
    void close_the_pool() {
        pool.close();
    }

    @Test
    void a_message_shares_the_fate_of_the_transaction_and_of_its_rows() {
        in(manager).executeWithoutResult(status -> {
            new JdbcTemplate(pool).update("insert into booking (what) values (?)", destination);
            outbox.append(message("m1"));
        });
        assertThatThrownBy(() -> in(manager).executeWithoutResult(status -> {
                    new JdbcTemplate(pool).update("insert into booking (what) values (?)", destination);
                    outbox.append(message("m2"));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");

        assertThat(service.appended(destination)).isOne();
        assertThat(service.bookings(destination)).hasSize(1);
    }

    @Test
    void a_message_in_a_nested_transaction_is_undone_with_it() {
        in(manager).executeWithoutResult(status -> {
            outbox.append(message("m1"));
            var nested = new TransactionTemplate(manager);
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            nested.executeWithoutResult(inner -> {
                outbox.append(message("m2"));
                inner.setRollbackOnly();
            });
        });

        assertThat(service.appended(destination)).isOne();
    }

    @Test
    void without_a_transaction_it_is_refused_though_the_pool_is_never_in_auto_commit() {
        assertThatThrownBy(() -> outbox.append(message("m1")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("@Transactional");

        assertThat(service.appended(destination)).isZero();
    }

    /**
     * Spring binds a connection for those who only want to share it. It is in no transaction that anybody ends.
     */
    @Test
    void a_connection_that_is_bound_without_a_transaction_is_refused() {
        var sharing = new TransactionTemplate(manager);
        sharing.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
        sharing.executeWithoutResult(status -> {
            DataSourceUtils.getConnection(pool);
            assertThatThrownBy(() -> outbox.append(message("m1"))).isInstanceOf(NoTransactionException.class);
        });

        assertThat(service.appended(destination)).isZero();
    }

    @Test
    void a_transaction_of_another_data_source_is_refused_though_the_outboxs_is_bound_beside_it() {
        var other = new JdbcTransactionManager(service.pool());

        in(other).executeWithoutResult(status -> {
            DataSourceUtils.getConnection(pool);
            assertThatThrownBy(() -> outbox.append(message("m1")))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another transaction manager");
        });

        assertThat(service.appended(destination)).isZero();
    }

    @Test
    void a_manager_of_another_data_source_is_refused_from_the_beginning() {
        assertThatThrownBy(() -> SpringCurrentTransaction.of(service.pool(), List.of(manager)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JdbcTransactionManager manages transactions of");
    }

    @Test
    void a_read_only_transaction_is_refused() {
        var reading = new TransactionTemplate(manager);
        reading.setReadOnly(true);

        reading.executeWithoutResult(status -> assertThatThrownBy(() -> outbox.append(message("m1")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read-only"));
    }

    /** Spring still calls it active, and nobody commits once more: the pool undoes what is written there. */
    @Test
    void after_the_commit_of_its_transaction_it_is_refused() {
        in(manager).executeWithoutResult(status -> {
            outbox.append(message("m1"));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    assertThatThrownBy(() -> outbox.append(message("lost")))
                            .isInstanceOf(NoTransactionException.class)
                            .hasMessageContaining("REQUIRES_NEW");
                    var own = new TransactionTemplate(manager);
                    own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                    own.executeWithoutResult(inner -> outbox.append(message("m2")));
                }
            });
        });

        assertThat(service.appended(destination)).isEqualTo(2);
        assertThatThrownBy(() -> in(manager).executeWithoutResult(status -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        in(manager).executeWithoutResult(status -> outbox.append(message("m3")));
        assertThat(service.appended(destination)).isEqualTo(3);
    }

    @Test
    void an_append_after_a_rollback_is_refused_in_either_commit_mode() {
        for (HikariDataSource each : List.of(service.pool(), pool)) {
            var itsManager = new JdbcTransactionManager(each);
            Outbox its = outbox(each, itsManager);
            var refused = new ArrayList<Throwable>();

            in(itsManager).executeWithoutResult(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int outcome) {
                        refused.add(catchThrowable(() -> its.append(message("lost"))));
                    }
                });
                status.setRollbackOnly();
            });

            assertThat(refused).singleElement().isInstanceOf(NoTransactionException.class);
        }
        assertThat(service.appended(destination)).isZero();
    }

    @Test
    void an_append_right_before_the_commit_belongs_to_it() {
        in(manager)
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                outbox.append(message("m1"));
                            }
                        }));

        assertThat(service.appended(destination)).isEqualTo(1);
    }

    @Test
    void a_data_source_behind_springs_proxy_is_the_same() {
        var proxied = outbox(new TransactionAwareDataSourceProxy(pool), manager);

        in(manager).executeWithoutResult(status -> proxied.append(message("m1")));

        assertThat(service.appended(destination)).isOne();
    }

    @Test
    void relays_are_told_of_a_commit_and_of_nothing_else() throws SQLException {
        assertThat(wakesOf(pool, manager)).isOne();
    }

    @Test
    @Tag("long")
    void in_a_transaction_of_jpa_a_message_is_stored_and_relays_are_told() throws SQLException {
        var factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(pool);
        factory.setPackagesToScan("dev.waybill.spring");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.afterPropertiesSet();
        try {
            var jpa = new JpaTransactionManager(Objects.requireNonNull(factory.getObject()));
            jpa.afterPropertiesSet();

            assertThat(wakesOf(pool, jpa)).isOne();
        } finally {
            factory.destroy();
        }
    }

    // One transaction that rolls back, and one that commits two messages.
    private int wakesOf(DataSource dataSource, PlatformTransactionManager by) throws SQLException {
        var fresh = outbox(dataSource, by);
        try (Connection listener = service.pool().getConnection()) {
            listener.createStatement().execute("listen " + WakeChannel.of(service.schema()));
            in(by).executeWithoutResult(status -> {
                fresh.append(message("m1"));
                status.setRollbackOnly();
            });
            assertThat(service.appended(destination)).isZero();
            in(by).executeWithoutResult(status -> {
                fresh.append(message("m2"));
                fresh.append(message("m3"));
            });
            assertThat(service.appended(destination)).isEqualTo(2);
            listener.createStatement().execute("unlisten *");
            return listener.unwrap(PGConnection.class).getNotifications().length;
        }
    }

    private Outbox outbox(DataSource dataSource, PlatformTransactionManager by) {
        return Outbox.builder()
                .schema(service.schema())
                .transactions(SpringCurrentTransaction.of(dataSource, List.of(by)))
                .build();
    }

    private static TransactionTemplate in(PlatformTransactionManager by) {
        return new TransactionTemplate(by);
    }

    private OutboxMessage message(String id) {
        return OutboxMessage.to(destination).id(id).text(id).build();
    }
}
