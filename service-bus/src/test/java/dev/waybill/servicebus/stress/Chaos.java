package dev.waybill.servicebus.stress;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Kills relays, freezes them past their lease, cuts connections; always starts anew what it killed. */
final class Chaos implements AutoCloseable {
    private final List<Process> relays = new ArrayList<>();
    private final RelayStarter starter;
    private final EmbeddedServiceBus bus;
    private final SplittableRandom random;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "chaos");
    private int kills;
    private int zombies;
    private int cuts;

    Chaos(int count, RelayStarter starter, EmbeddedServiceBus bus, SplittableRandom random) throws IOException {
        this.starter = starter;
        this.bus = bus;
        this.random = random;
        for (int i = 0; i < count; i++) {
            relays.add(starter.start());
        }
        thread.start();
    }

    /** Ends the chaos; the relays go on undisturbed. */
    String calm() throws InterruptedException {
        stop.countDown();
        thread.join();
        return kills + " kills, " + zombies + " zombies, " + cuts + " cut connections";
    }

    @Override
    public void close() {
        stop.countDown();
        thread.interrupt();
        relays.forEach(Process::destroyForcibly);
    }

    private void run() {
        try {
            while (!stop.await(random.nextInt(400, 1_200), TimeUnit.MILLISECONDS)) {
                int victim = random.nextInt(relays.size());
                switch (random.nextInt(4)) {
                    case 0, 1 -> kill(victim);
                    case 2 -> freeze(relays.get(victim));
                    default -> cut();
                }
            }
        } catch (IOException e) {
            throw new AssertionError("The chaos could not be made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void kill(int victim) throws IOException, InterruptedException {
        relays.get(victim).destroyForcibly().waitFor();
        relays.set(victim, starter.start());
        kills++;
    }

    private void freeze(Process victim) throws IOException, InterruptedException {
        signal("-STOP", victim);
        stop.await(RelayProcess.LEASE.toMillis() + random.nextInt(1_500), TimeUnit.MILLISECONDS);
        signal("-CONT", victim);
        zombies++;
    }

    private void cut() {
        bus.dropConnections();
        cuts++;
    }

    private static void signal(String signal, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    }

    /** Starts a relay process. */
    @FunctionalInterface
    interface RelayStarter {
        Process start() throws IOException;
    }
}
