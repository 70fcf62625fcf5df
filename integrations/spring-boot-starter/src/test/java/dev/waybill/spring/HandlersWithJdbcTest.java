package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Verdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;

/** Handlers in the transactions of Spring's manager for JDBC. */
class HandlersWithJdbcTest extends HandlersInSpring {
    private PlatformTransactionManager manager;
    private JdbcTemplate jdbc;

    @BeforeEach
    void make_the_manager(TestService service) {
        manager = new JdbcTransactionManager(service.pool());
        jdbc = new JdbcTemplate(service.pool());
    }

    @Override
    PlatformTransactionManager manager() {
        return manager;
    }

    @Override
    void save(String what) {
        jdbc.update("insert into booking (what) values (?)", what);
    }

    /** A savepoint of the message's transaction is inside of it. */
    @Test
    void a_nested_transaction_belongs_to_the_message() {
        consume((tx, message) -> {
            transaction(TransactionDefinition.PROPAGATION_NESTED, () -> save(message.text() + "-kept"));
            assertThatThrownBy(() -> transaction(TransactionDefinition.PROPAGATION_NESTED, () -> {
                        save(message.text() + "-undone");
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(booked()).containsExactly(queue + "-a-kept");
        assertThat(service.deadLetters(queue)).isZero();
    }
}
