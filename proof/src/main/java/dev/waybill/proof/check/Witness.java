package dev.waybill.proof.check;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Peeks at a subscription that nobody receives from, in the order of the broker, and writes down what it sees. */
public final class Witness implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int PAGE = 250;
    private static final long PAUSE_MILLIS = 200;

    private final Path file;
    private final String connectionString;
    private final int life;
    private final Thread thread;
    private volatile boolean ended;
    private long next = 1;

    /**
     * Of one namespace.
     *
     * @param life the number of the namespace
     */
    public Witness(String connectionString, int life, Path folder) {
        this.connectionString = connectionString;
        this.life = life;
        this.file = folder.resolve("arrivals-" + life + ".tsv");
        this.thread = new Thread(this::run, "witness-" + life);
        thread.start();
    }

    /** What it saw: life, sequence number, session, id. */
    public Path file() {
        return file;
    }

    private void run() {
        try (Writer out = Files.newBufferedWriter(file)) {
            while (!ended) {
                try (var receiver = new ServiceBusClientBuilder()
                        .connectionString(connectionString)
                        .retryOptions(
                                new AmqpRetryOptions().setTryTimeout(ANSWER).setMaxRetries(0))
                        .receiver()
                        .topicName("transfers")
                        .subscriptionName("witness")
                        .buildClient()) {
                    look(receiver, out);
                } catch (RuntimeException e) {
                    rest();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void look(ServiceBusReceiverClient receiver, Writer out) throws IOException {
        boolean more = true;
        while (!ended || more) {
            more = false;
            for (ServiceBusReceivedMessage message : receiver.peekMessages(PAGE, next)) {
                out.write(life + "\t" + message.getSequenceNumber() + "\t" + message.getSessionId() + "\t"
                        + message.getMessageId() + "\n");
                next = message.getSequenceNumber() + 1;
                more = true;
            }
            out.flush();
            if (!more) {
                rest();
            }
        }
    }

    private static void rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has it see what is there and end; of a lost namespace nothing more can be seen. */
    public void end() {
        ended = true;
    }

    /** Waits for its end. */
    @Override
    public void close() {
        end();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
