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

/** The broker's thread. {@link #post}, {@link #call} and {@link #close} are for any thread, everything else for the loop's. */
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
        // Starts at 1, because 0 means "no deadline" to the protocol engine.
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

    /** Timers in real time. */
    public Timers network() {
        return network;
    }

    /** Timers in broker time. */
    public Timers deadlines() {
        return deadlines;
    }

    public BrokerClock clock() {
        return clock;
    }

    /** Advances broker time from deadline to deadline, and runs what is due at each. */
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

    /** Calls the handler on the loop when the channel is ready. */
    public SelectionKey register(SelectableChannel channel, int interest, Runnable ready) throws IOException {
        return channel.register(selector, interest, ready);
    }

    /** Until this, the system keeps closed channels' ports and accepts clients on them. */
    public void releaseClosed() throws IOException {
        selector.selectNow();
    }

    /** Runs a task at the end of this turn. */
    public void later(Runnable task) {
        later.add(task);
    }

    /** Runs a task on the loop, or drops it after the loop's end. */
    public void post(Runnable task) {
        posted.add(task);
        selector.wakeup();
        if (ended) {
            dropPosted();
        }
    }

    /**
     * Runs a task on the loop, waits, and returns its result or throws its exception.
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
            // At least once a second, because broker time follows the wall clock, which may jump.
            selector.select(Math.min(wait, 1_000));
        }
    }

    private void runSelected() {
        // Copied, because a handler may select again.
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

    // A failing connection must never end the thread of all connections; a client can even exhaust the protocol
    // engine's stack.
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

    // A thread that posts after the end also runs this, so that no caller waits for ever.
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

    /** Ends the loop after the posted tasks, closes every channel and waits for the thread. */
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
