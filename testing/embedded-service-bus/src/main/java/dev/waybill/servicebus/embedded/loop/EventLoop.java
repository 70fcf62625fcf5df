package dev.waybill.servicebus.embedded.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The broker's thread. {@link #post}, {@link #call} and {@link #close} are for any thread, all else for the loop's. */
public final class EventLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventLoop.class);

    private final Selector selector;
    private final Thread thread;
    private final BrokerClock clock;
    private final Timers network;
    private final Timers deadlines;
    private final ConcurrentLinkedQueue<Runnable> posted = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private volatile boolean stopped;
    private volatile boolean ended;

    public EventLoop(String name, BrokerClock clock) {
        this.clock = clock;
        long origin = System.nanoTime();
        // Starts at 1, since 0 means "no deadline" to the protocol engine.
        this.network = new Timers(() -> 1 + (System.nanoTime() - origin) / 1_000_000);
        this.deadlines = new Timers(clock::now);
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Timers on real time. */
    public Timers network() {
        return network;
    }

    /** Timers on broker time. */
    public Timers deadlines() {
        return deadlines;
    }

    public BrokerClock clock() {
        return clock;
    }

    /**
     * Moves broker time ahead from one deadline to the next, and runs at each moment what falls due then, before
     * it returns.
     */
    public void advance(Duration by) {
        runLater();
        clock.depart(by);
        try {
            for (long next = deadlines.next(); next <= clock.destination(); next = deadlines.next()) {
                clock.reach(next);
                runDue(deadlines);
                runLater();
            }
        } finally {
            clock.arrive();
        }
    }

    /** Calls the handler on the loop whenever the channel is ready for what its key is interested in. */
    public SelectionKey register(SelectableChannel channel, int interest, Runnable ready) throws IOException {
        return channel.register(selector, interest, ready);
    }

    /**
     * Lets go of channels that were closed: until then the system keeps their ports, and goes on accepting clients.
     */
    public void releaseClosed() throws IOException {
        selector.selectNow();
    }

    /** Runs a task at the end of the present turn, after everything that is ready now. */
    public void later(Runnable task) {
        later.add(task);
    }

    /** Runs a task on the loop, soon. Dropped when the loop has ended. */
    public void post(Runnable task) {
        posted.add(task);
        selector.wakeup();
        if (ended) {
            dropPosted();
        }
    }

    /**
     * Runs a task on the loop and waits for its result; what it throws is thrown here.
     *
     * @throws IllegalStateException if the loop has ended
     */
    public <T extends @Nullable Object> T call(Supplier<T> task) {
        if (Thread.currentThread() == thread) {
            return task.get();
        }
        Call<T> call = new Call<>(task);
        post(call);
        return call.await();
    }

    private void run() {
        try {
            while (!stopped) {
                turn();
            }
        } finally {
            shutDown();
        }
    }

    private void turn() {
        try {
            select();
        } catch (IOException e) {
            log.error("The selector failed; the broker stops", e);
            stopped = true;
            return;
        }
        runSelected();
        runPosted();
        runDueByNow(network);
        runDueByNow(deadlines);
        runLater();
    }

    private void runDueByNow(Timers timers) {
        long mark = timers.mark();
        for (Timers.Timer timer = timers.pollDue(mark); timer != null; timer = timers.pollDue(mark)) {
            guarded(timer::run);
        }
    }

    private void select() throws IOException {
        long wait = Math.min(network.untilNext(), deadlines.untilNext());
        if (!posted.isEmpty() || !later.isEmpty() || wait == 0) {
            selector.selectNow();
        } else {
            // Broker time follows the wall clock, which may be set forward: look at least once a second.
            selector.select(Math.min(wait, 1_000));
        }
    }

    private void runSelected() {
        // Copied, for a handler may select again.
        var selected = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        for (SelectionKey key : selected) {
            if (key.isValid()) {
                guarded((Runnable) key.attachment());
            }
        }
    }

    private void runPosted() {
        for (Runnable task = posted.poll(); task != null; task = posted.poll()) {
            guarded(task);
        }
    }

    private void runDue(Timers timers) {
        for (Timers.Timer timer = timers.pollDue(); timer != null; timer = timers.pollDue()) {
            guarded(timer::run);
        }
    }

    private void runLater() {
        for (Runnable task = later.poll(); task != null; task = later.poll()) {
            guarded(task);
        }
    }

    // One connection's trouble must never end the thread that serves all of them, whatever it is: a client can make the
    // protocol engine run out of stack.
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log.error("A task of the broker failed", e);
        }
    }

    private void shutDown() {
        runPosted();
        for (SelectionKey key : selector.keys()) {
            closeQuietly(key.channel());
        }
        closeQuietly(selector);
        ended = true;
        dropPosted();
    }

    // A thread that posts a task after the end drops it by this, too, so that no caller waits for ever.
    private void dropPosted() {
        for (Runnable task = posted.poll(); task != null; task = posted.poll()) {
            if (task instanceof Call<?> call) {
                call.refuse();
            }
        }
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            log.debug("Closing {} failed", closeable, e);
        }
    }

    /** Ends the loop after the tasks posted so far, closes every channel, and waits for the thread. */
    @Override
    public void close() {
        post(() -> stopped = true);
        if (Thread.currentThread() != thread) {
            joinUninterruptibly();
        }
    }

    private void joinUninterruptibly() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
