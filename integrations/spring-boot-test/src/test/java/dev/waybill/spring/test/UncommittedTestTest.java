package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.spring.InboxHandler;
import dev.waybill.test.TestWaybill;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.annotation.Transactional;

/** A test in a transaction of its own, which nobody commits: what it appends is not there for anybody. */
@WaybillTest(
        classes = UncommittedTestTest.Shop.class,
        properties = {"waybill.destinations.orders.sessions=false", "waybill.consumers.reader.queue=orders"})
class UncommittedTestTest {
    private static final String OPEN =
            "An append is not seen before its commit, and there is one in a transaction that is"
                    + " open: server process ";

    @Autowired
    private TestWaybill waybill;

    @Autowired
    private Outbox outbox;

    private void append() {
        outbox.append(OutboxMessage.to("orders").id("o-1").text("x").build());
    }

    @Test
    @Transactional
    void a_publish_that_finds_nothing_names_the_transaction_that_is_open() {
        append();

        assertThatThrownBy(() -> waybill.publish())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("publish() has found no message.")
                .hasMessageContaining(OPEN)
                .hasMessageContaining("outbox_message")
                .hasMessageContaining("A test with @Transactional never does");
    }

    @Test
    @Transactional
    void so_do_expectations_that_find_nothing(@Autowired ServiceConsumers consumers) throws Exception {
        append();

        assertThatThrownBy(() -> waybill.appended().hasIds("o-1")).hasMessageContaining(OPEN);
        assertThatThrownBy(() -> waybill.published("orders").hasSize(1)).hasMessageContaining(OPEN);
        assertThatThrownBy(() -> waybill.handled("reader").hasIds("o-1")).hasMessageContaining(OPEN);
        var handled = consumers.of("reader").handleAll();
        assertThatThrownBy(() -> handled.hasIds("o-1")).hasMessageContaining(OPEN);
    }

    @Test
    @Transactional
    void nothing_proves_nothing_while_an_append_is_not_committed() {
        append();

        assertThatThrownBy(() -> waybill.appended().isEmpty()).hasMessageContaining(OPEN);
        assertThatThrownBy(() -> waybill.appended().doNotContain("o-1")).hasMessageContaining(OPEN);
        assertThatThrownBy(() -> waybill.published("orders").isEmpty()).hasMessageContaining(OPEN);
        TestTransaction.end();

        waybill.appended().isEmpty().doNotContain("o-1");
    }

    @Test
    @Transactional
    void after_the_commit_it_is_there() {
        append();
        TestTransaction.flagForCommit();
        TestTransaction.end();

        assertThat(waybill.publish()).isOne();
    }

    @Test
    void without_an_append_nothing_is_named() {
        assertThat(waybill.publish()).isZero();
        assertThatThrownBy(() -> waybill.appended().hasIds("o-1")).hasMessageEndingWith("but there are none");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Reader reader() {
            return new Reader();
        }
    }

    static class Reader {
        @InboxHandler(destination = "orders")
        void read(String body) {}
    }
}
