package dev.waybill.servicebus.embedded.fuzz;

import static dev.waybill.servicebus.embedded.fuzz.AmqpBytes.described;
import static dev.waybill.servicebus.embedded.fuzz.RawFrames.uint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Frames that no client library writes, each well-formed. */
class HostileFramesTest {
    private static final int PART = 60_000;
    private static final int LAST = 200;

    private static EmbeddedServiceBus start() {
        return EmbeddedServiceBus.builder().queue("orders").queue("other").start();
    }

    @Test
    void a_disposition_of_all_numbers_there_are_stops_nobody() throws Exception {
        // Not closed if it fails: a broker that has stopped does not close either.
        EmbeddedServiceBus bus = start();
        RawFrames client = new RawFrames(bus.port());
        client.frame(0x15, true, uint(0), uint(-1), true, described(0x24), false);
        CompletableFuture.runAsync(() -> await().until(() -> bus.connectionCount() == 0))
                .get(5, TimeUnit.SECONDS);
        client.close();
        bus.close();
    }

    @Test
    void a_second_link_of_the_same_name_takes_no_messages_after_it_has_gone() {
        try (EmbeddedServiceBus bus = start()) {
            RawFrames client = new RawFrames(bus.port()).thatMayBeCutOff();
            client.receiver("twin", 0, "orders")
                    .credit(0, 10)
                    .receiver("twin", 1, "orders")
                    .credit(1, 10);
            client.sender("s", 2, "other").transfer(2, 0, false, Scripts.message());
            await().until(() ->
                    bus.connectionCount() == 0 || bus.inspect("other").counts().total() == 1);
            client.close();
            await().until(() -> bus.connectionCount() == 0);
            RawFrames sender = new RawFrames(bus.port()).sender("s", 0, "orders");
            sender.transfer(0, 0, false, Scripts.message());
            await().until(() -> bus.journal("orders").storedCount() == 1);
            assertThat(bus.inspect("orders").active()).isEqualTo(1);
            assertThat(bus.inspect("orders").receivers()).isZero();
            sender.close();
        }
    }

    @Test
    void a_second_link_of_the_same_name_that_is_detached_takes_no_messages() {
        try (EmbeddedServiceBus bus = start();
                RawFrames other = new RawFrames(bus.port());
                RawFrames client = new RawFrames(bus.port()).thatMayBeCutOff()) {
            client.receiver("twin", 0, "orders")
                    .credit(0, 10)
                    .receiver("twin", 1, "orders")
                    .credit(1, 10);
            client.detach(1, true).detach(0, true);
            other.sender("s", 0, "orders");
            // The links settle by themselves: a message that is there before they are detached is theirs, and gone.
            var sent = new AtomicInteger();
            await().until(() -> {
                other.transfer(0, sent.getAndIncrement(), false, Scripts.message());
                return bus.inspect("orders").counts().total() > 0;
            });
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            assertThat(bus.inspect("orders").receivers()).isZero();
            assertThat(bus.inspect("orders").locked()).isZero();
        }
    }

    @Test
    void a_client_that_still_writes_while_it_is_refused_hears_why() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client = new RawFrames(bus.port())) {
            byte[] frameOfTwoGigabytes = {0x7f, 0, 0, 0, 2, 0, 0, 0};
            client.write(frameOfTwoGigabytes);
            for (int i = 0; i < 500; i++) {
                client.write(new byte[PART]);
            }
            assertThat(client.heard()).contains("amqp:connection:framing-error");
            assertThat(bus.connectionCount()).isZero();
        }
    }

    @Test
    void all_the_credit_there_is_brings_messages() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client = new RawFrames(bus.port())) {
            client.receiver("r", 0, "orders").credit(0, -1);
            client.sender("s", 1, "orders").transfer(1, 0, false, Scripts.message());
            await().until(() -> bus.journal("orders").settlements().size() == 1);
        }
    }

    @Test
    void a_message_right_behind_an_aborted_one_is_stored() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client = new RawFrames(bus.port())) {
            client.sender("s", 0, "orders")
                    .write(AmqpBytes.joined(List.of(
                            RawFrames.transferOf(0, 0, true, new byte[100]),
                            RawFrames.abortOf(0, 0),
                            RawFrames.transferOf(0, 1, false, Scripts.message()))));
            await().until(() -> bus.inspect("orders").active() == 1);
        }
    }

    @Test
    void a_request_behind_an_aborted_one_is_answered() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client = new RawFrames(bus.port())) {
            client.sender("s", 0, "orders/$management").write(RawFrames.transferOf(0, 0, true, new byte[100]));
            client.write(AmqpBytes.joined(List.of(
                    RawFrames.abortOf(0, 0), RawFrames.transferOf(0, 1, false, Scripts.request("schedule-message")))));
            await().until(() -> bus.inspect("orders").counts().total() == 1);
        }
    }

    @Test
    void a_message_that_goes_on_after_its_link_was_detached_is_not_kept() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client = new RawFrames(bus.port()).sender("s", 0, "orders")) {
            long before = heap();
            client.transfer(0, 0, true, new byte[PART]);
            for (int i = 0; i < 1_500; i++) {
                client.more(0, new byte[PART]);
            }
            proceeds(bus, client);
            assertThat(heap() - before).isLessThan(40L * 1024 * 1024);
        }
    }

    @Test
    void messages_begun_over_many_links_and_never_ended_take_bounded_memory() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client = new RawFrames(bus.port())) {
            long before = heap();
            for (int link = 0; link < 40; link++) {
                client.sender("s" + link, link, "orders/$management").transfer(link, link, true, new byte[PART]);
                for (int i = 0; i < 60; i++) {
                    client.more(link, new byte[PART]);
                }
            }
            proceeds(bus, client.sender("other", LAST, "other"), 40);
            assertThat(heap() - before).isLessThan(60L * 1024 * 1024);
        }
    }

    @Test
    void a_link_that_is_detached_and_attached_anew_in_one_breath_leaves_no_receiver() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client =
                        new RawFrames(bus.port()).receiver("r", 0, "orders").credit(0, 10)) {
            await().until(() -> bus.inspect("orders").receivers() == 1);
            client.write(AmqpBytes.joined(
                    List.of(RawFrames.detachOf(0), RawFrames.attachOf("r", 0, true, "orders", "here", null))));
            proceeds(bus, client);
            bus.dropConnections();
            await().until(() -> bus.connectionCount() == 0);
            assertThat(bus.inspect("orders").receivers()).isZero();
        }
    }

    @Test
    void a_session_that_ends_within_a_transfer_takes_its_links_along_and_may_begin_again() {
        try (EmbeddedServiceBus bus = start();
                RawFrames client = new RawFrames(bus.port())) {
            client.receiver("r", 0, "orders").sender("s", 1, "orders").transfer(1, 0, true, new byte[PART]);
            await().until(() -> bus.inspect("orders").receivers() == 1);
            client.frame(0x17, (Object) null);
            await().until(() -> bus.inspect("orders").receivers() == 0);
            client.frame(0x11, null, uint(0), uint(100_000), uint(100_000), uint(255));
            client.sender("s", 1, "orders").transfer(1, 0, false, Scripts.message());
            await().until(() -> bus.inspect("orders").active() == 1);
        }
    }

    private static void proceeds(EmbeddedServiceBus bus, RawFrames client) {
        proceeds(bus, client.sender("other", LAST, "other"), 1);
    }

    private static void proceeds(EmbeddedServiceBus bus, RawFrames client, int id) {
        client.transfer(LAST, id, false, Scripts.message());
        await().until(() -> bus.inspect("other").active() == 1);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
