package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.inbox.Verdict;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.hibernate.internal.SessionImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

/** Handlers in the transactions of Spring's manager for JPA, with Hibernate. */
class HandlersWithJpaTest extends HandlersInSpring {
    private static LocalContainerEntityManagerFactoryBean factoryBean;
    private static EntityManagerFactory factory;

    private PlatformTransactionManager manager;
    private EntityManager entities;

    @BeforeAll
    static void start_hibernate(TestService service) {
        factoryBean = new LocalContainerEntityManagerFactoryBean();
        factoryBean.setDataSource(service.pool());
        factoryBean.setPackagesToScan("dev.waybill.spring");
        factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factoryBean.afterPropertiesSet();
        factory = Objects.requireNonNull(factoryBean.getObject());
    }

    @AfterAll
    static void stop_hibernate() {
        factoryBean.destroy();
    }

    @BeforeEach
    void make_the_manager() {
        var jpa = new JpaTransactionManager(factory);
        jpa.afterPropertiesSet();
        manager = jpa;
        entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
    }

    @Override
    PlatformTransactionManager manager() {
        return manager;
    }

    @Override
    void save(String what) {
        entities.persist(new Booking(what));
    }

    @Test
    void each_try_has_an_entity_manager_of_its_own_in_which_nothing_of_the_last_one_is_left() {
        var jdbc = new JdbcTemplate(service.pool());
        jdbc.update("insert into booking (what) values (?)", queue + "-before");
        Set<Object> sessions = new HashSet<>();
        consume((tx, message) -> {
            Booking booking = entities.createQuery("from Booking where what like :what", Booking.class)
                    .setParameter("what", queue + "-%")
                    .getSingleResult();
            assertThat(booking.what()).isEqualTo(queue + "-before");
            sessions.add(entities.unwrap(SessionImpl.class));
            booking.rename(queue + "-after");
            if (tries().incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return Verdict.done();
        });

        service.send(queue, "m1", "a");
        service.awaitSettled(queue, 1);

        assertThat(sessions).hasSize(3);
        assertThat(booked()).containsExactly(queue + "-after");
    }

    @Test
    @Tag("long")
    void what_hibernate_has_held_back_fails_before_the_message_counts_as_done() {
        consume((tx, message) -> {
            tries().incrementAndGet();
            Booking booking = new Booking(message.text());
            entities.persist(booking);
            booking.rename(null);
            return Verdict.done();
        });

        service.send(queue, "m1", queue + "-a");
        service.awaitSettled(queue, 1);

        assertThat(booked()).isEmpty();
        assertThat(service.deadLetters(queue)).isOne();
    }

    /** Its services would be in JPA's transactions or in none, and commit by themselves. */
    @Test
    void a_manager_for_jdbc_beside_entity_managers_of_the_same_pool_is_refused_at_the_start() {
        var jdbc = new JdbcTransactionManager(service.pool());

        assertThatThrownBy(() -> start(
                        settings ->
                                settings.transactions(SpringTransactions.of(jdbc, service.pool(), List.of(factory))),
                        (tx, message) -> Verdict.done()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in another transaction, or in none");
    }
}
