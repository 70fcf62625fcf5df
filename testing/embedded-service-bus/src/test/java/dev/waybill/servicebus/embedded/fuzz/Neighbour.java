package dev.waybill.servicebus.embedded.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A well-behaved client that never retries: it sends numbered messages one after another and wants each of them back, once
 * and in order. Messages that others put into its queue have other ids and are put aside.
 */
final class Neighbour implements AutoCloseable {
    private static final String PREFIX = "neighbour-";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ServiceBusSenderClient sender;
    private final ServiceBusReceiverClient receiver;
    private final ServiceBusReceivedMessage held;
    private final AtomicInteger rounds = new AtomicInteger();
    private final Thread thread = new Thread(this::run, "neighbour");
    private volatile boolean stopped;
    private volatile @Nullable Throwable trouble;

    Neighbour(String connectionString, String queue) {
        ServiceBusClientBuilder builder = new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .retryOptions(new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(PATIENCE));
        sender = builder.sender().queueName(queue).buildClient();
        receiver = builder.receiver().queueName(queue).disableAutoComplete().buildClient();
        sender.sendMessage(new ServiceBusMessage("held").setMessageId("held"));
        held = next("held");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!stopped) {
                String id = PREFIX + rounds.get();
                sender.sendMessage(new ServiceBusMessage(id).setMessageId(id));
                ServiceBusReceivedMessage back = next(PREFIX);
                assertThat(back.getMessageId()).isEqualTo(id);
                assertThat(back.getBody().toString()).isEqualTo(id);
                receiver.complete(back);
                rounds.incrementAndGet();
            }
        } catch (Throwable e) {
            trouble = e;
        }
    }

    private ServiceBusReceivedMessage next(String prefix) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            for (ServiceBusReceivedMessage message : receiver.receiveMessages(1, Duration.ofSeconds(5))) {
                if (String.valueOf(message.getMessageId()).startsWith(prefix)) {
                    return message;
                }
                receiver.complete(message);
            }
        }
        throw new AssertionError("A message of the neighbour was lost: it waited for " + prefix + rounds.get());
    }

    /** How many messages have made their whole way. */
    int rounds() {
        return rounds.get();
    }

    /** The failure that it met, or null. */
    @Nullable Throwable trouble() {
        return trouble;
    }

    /** Ends its work, and makes sure that what it has held all the time is still its own. */
    void finish() throws InterruptedException {
        stopped = true;
        thread.join(PATIENCE.multipliedBy(2).toMillis());
        assertThat(trouble).isNull();
        assertThat(thread.isAlive()).as("the neighbour still waits").isFalse();
        receiver.complete(held);
    }

    @Override
    public void close() {
        stopped = true;
        sender.close();
        receiver.close();
    }
}
