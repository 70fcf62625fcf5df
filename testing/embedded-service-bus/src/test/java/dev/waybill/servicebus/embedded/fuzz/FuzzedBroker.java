package dev.waybill.servicebus.embedded.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/**
 * A broker with a neighbour, to be talked nonsense to. Each conversation must end, the neighbour must go on beside it, and
 * no thread may die of it; in the end nothing is left of those that came and went.
 */
final class FuzzedBroker implements AutoCloseable {
    private static final int ANSWER_MILLIS = 20_000;
    private static final int GLANCE_MILLIS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long ROOM = 64L * 1024 * 1024;
    private static final int NEIGHBOURS = 1;
    private static final String THREADS = "embedded-service-bus";

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("good", q -> q.maxDeliveryCount(2000).lockDuration(Duration.ofMinutes(5)))
            .queue("fuzzed", q -> q.duplicateDetection(Duration.ofMinutes(1)))
            .queue("wallet", q -> q.requiresSession())
            .topic("events", t -> t.subscription("all").subscription("ruled"))
            .journalLimit(1_000)
            .administrationPort(0)
            .start();
    private final Queue<String> deaths = new ConcurrentLinkedQueue<>();
    private final ListAppender<ILoggingEvent> errors = new ListAppender<>();
    private final Neighbour neighbour;
    private long heapBefore;
    private int tries;
    private boolean broken;

    FuzzedBroker() {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> deaths.add(thread.getName() + ": " + thrown));
        errors.start();
        logger().addAppender(errors);
        neighbour = new Neighbour(bus.connectionString(), "good");
        await().atMost(PATIENCE).until(() -> neighbour.rounds() > 1);
        // The library shares it between sender and receiver.
        assertThat(bus.connectionCount()).isEqualTo(NEIGHBOURS);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("dev.waybill.servicebus.embedded");
    }

    EmbeddedServiceBus bus() {
        return bus;
    }

    boolean broken() {
        return broken;
    }

    /** Says something on a new AMQP connection, piece by piece, and looks for answers between the pieces. */
    void talk(List<byte[]> pieces) {
        say(bus.port(), pieces);
    }

    /** Says something to administration. */
    byte[] ask(byte[] request) {
        return say(bus.administrationPort(), List.of(request));
    }

    private byte[] say(int port, List<byte[]> pieces) {
        int before = neighbour.rounds();
        broken = true;
        byte[] answer = converse(port, pieces);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .failFast(this::requireHealth)
                .until(() -> neighbour.rounds() > before && bus.connectionCount() == NEIGHBOURS);
        broken = false;
        tidy();
        return answer;
    }

    private byte[] converse(int port, List<byte[]> pieces) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            InputStream in = socket.getInputStream();
            for (int i = 0; i < pieces.size(); i++) {
                socket.getOutputStream().write(pieces.get(i));
                if (i + 1 < pieces.size()) {
                    glance(socket, in);
                }
            }
            socket.shutdownOutput();
            socket.setSoTimeout(ANSWER_MILLIS);
            return in.readAllBytes();
        } catch (SocketTimeoutException hangs) {
            throw new AssertionError("The broker neither answers nor closes the connection", hangs);
        } catch (SocketException closed) {
            // The broker hung up before everything was said, which is its right.
            return new byte[0];
        } catch (IOException e) {
            throw new AssertionError("The broker cannot be reached", e);
        }
    }

    /** Takes in what has been answered so far; not waiting longer changes what is tried, and no result. */
    private static void glance(Socket socket, InputStream in) throws IOException {
        byte[] some = new byte[8192];
        try {
            socket.setSoTimeout(GLANCE_MILLIS);
            int count = in.read(some);
            while (count == some.length) {
                count = in.read(some);
            }
        } catch (SocketTimeoutException nothing) {
            socket.setSoTimeout(ANSWER_MILLIS);
        }
    }

    /** The scripts, as they are, have stored messages everywhere they can. */
    void understood() {
        assertThat(bus.journal("fuzzed").storedCount()).isGreaterThan(3);
        assertThat(bus.journal("events").storedCount()).isGreaterThan(1);
        assertThat(bus.journal("fuzzed").settlements()).isNotEmpty();
    }

    private void requireHealth() {
        assertThat(deaths).as("threads that died").isEmpty();
        assertThat(neighbour.trouble()).as("the neighbour's trouble").isNull();
        assertThat(loggedErrors()).as("errors").isEmpty();
    }

    private List<String> loggedErrors() {
        return List.copyOf(errors.list).stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(event -> event.getFormattedMessage() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : event.getThrowableProxy().getClassName() + " "
                                        + event.getThrowableProxy().getMessage()))
                .toList();
    }

    /** Removes the messages of conversations that made sense: they are not to count as what nonsense leaves. */
    private void tidy() {
        if (++tries % 100 == 0) {
            for (String queue : List.of("fuzzed", "wallet")) {
                bus.delete(queue);
                bus.createQueue(queue, q -> queue.equals("wallet") ? q.requiresSession() : q);
            }
            errors.list.removeIf(event -> event.getLevel() != Level.ERROR);
        }
        if (tries == 20) {
            heapBefore = heap();
        }
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** The fuzzers have gone: nothing of theirs is left, and the neighbour has lost nothing. */
    void finish() throws InterruptedException {
        requireHealth();
        await().atMost(PATIENCE).until(() -> bus.connectionCount() == NEIGHBOURS);
        await().atMost(PATIENCE).until(() -> conversations().isEmpty());
        for (String entity : List.of("fuzzed", "wallet", "events/Subscriptions/all", "events/Subscriptions/ruled")) {
            assertThat(bus.inspect(entity).receivers())
                    .as("receivers at " + entity)
                    .isZero();
            assertThat(bus.inspect(entity).waitingForSession())
                    .as("waiting at " + entity)
                    .isZero();
        }
        assertThat(bus.inspect("good").receivers()).isEqualTo(1);
        neighbour.finish();
        if (heapBefore > 0) {
            assertThat(heap() - heapBefore).as("bytes that stay").isLessThan(ROOM);
        }
        System.out.println("The neighbour's messages: " + neighbour.rounds() + "; conversations: " + tries);
    }

    private static List<String> conversations() {
        List<String> names = new ArrayList<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> {
            if (thread.getName().startsWith(THREADS + "-administration-")) {
                names.add(thread.getName());
            }
        });
        return names;
    }

    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(null);
        logger().detachAppender(errors);
        neighbour.close();
        bus.close();
    }
}
