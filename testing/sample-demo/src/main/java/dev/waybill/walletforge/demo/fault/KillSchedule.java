package dev.waybill.walletforge.demo.fault;

import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.walletforge.demo.relay.RelayProcess;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.servicebus.Entities;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** Kills the relay four times, each time with work at hand, and starts it again. Takes its time on one thread. */
final class KillSchedule {
    static final int KILLS = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BLOCK_PATIENCE = Duration.ofSeconds(20);
    private static final Duration ANY_MOMENT_PATIENCE = Duration.ofSeconds(20);
    private static final int BLOCK_ATTEMPTS = 3;
    private static final int ANY_MOMENT_MILLIS = 150;

    private final SettleBlock.Target settles;
    private final EmbeddedBus bus;
    private final BrokerFaults noise;
    private final RelaySupervisor supervisor;
    private final Consumer<String> events;

    KillSchedule(
            SettleBlock.Target settles,
            EmbeddedBus bus,
            BrokerFaults noise,
            RelaySupervisor supervisor,
            Consumer<String> events) {
        this.settles = settles;
        this.bus = bus;
        this.noise = noise;
        this.supervisor = supervisor;
        this.events = events;
    }

    /** Returns when the last relay has started and all input is let through. */
    void run(StagedInput input, Random random) throws Exception {
        insideASend(input);
        beforeASettle(input);
        noise.onSend();
        for (int kills = 2; kills < KILLS; kills++) {
            atAnyMoment(input, random);
        }
        input.releaseAll();
        supervisor.start();
    }

    private void insideASend(StagedInput input) throws Exception {
        FaultHandle send = bus.faults()
                .at(FaultPoint.STORED_BEFORE_ACK)
                .entity(Entities.WALLET_TX)
                .times(1)
                .onHit(event -> supervisor.kill())
                .then(FaultAction.swallow());
        input.releaseNext();
        RelayProcess relay = supervisor.start();
        Bounded.require("a send to kill the relay in", PATIENCE, () -> send.hits() > 0);
        end(relay, "inside a send: stored, not acknowledged");
    }

    private void beforeASettle(StagedInput input) throws Exception {
        for (int attempt = 1; attempt <= BLOCK_ATTEMPTS; attempt++) {
            try (var block = SettleBlock.take(settles)) {
                // Messages that the killed relay sent are not settled, so there is work even if the next
                // portion is empty.
                input.releaseNext();
                long before = bus.sends();
                RelayProcess relay = supervisor.start();
                boolean blocked = Bounded.await(
                        BLOCK_PATIENCE, () -> bus.sends() > before && block.holdsBack(relay.applicationName()));
                supervisor.kill();
                relay.awaitEnd();
                block.terminate(relay.applicationName());
                if (blocked) {
                    end(relay, "between acknowledgement and settle");
                    return;
                }
            }
        }
        throw new IllegalStateException("No relay came to its settle");
    }

    private void atAnyMoment(StagedInput input, Random random) throws Exception {
        long before = bus.sends();
        RelayProcess relay = supervisor.start();
        input.releaseNext();
        // A tiny load may be through already; then an idle relay is killed.
        boolean sends = Bounded.await(ANY_MOMENT_PATIENCE, () -> bus.sends() > before);
        Thread.sleep(random.nextInt(ANY_MOMENT_MILLIS));
        supervisor.kill();
        end(relay, sends ? "at any moment" : "while idle");
    }

    private void end(RelayProcess relay, String where) throws InterruptedException {
        if (!relay.awaitEnd()) {
            throw new IllegalStateException("A killed relay is still there");
        }
        events.accept("relay killed " + where);
    }
}
