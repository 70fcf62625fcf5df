package dev.waybill.walletforge.demo.serve;

import dev.waybill.relay.Relay;
import dev.waybill.walletforge.WalletService;
import dev.waybill.walletforge.demo.relay.RelayLaunch;
import dev.waybill.walletforge.demo.relay.RelayService;
import dev.waybill.walletforge.demo.relay.RelayTempo;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import io.javalin.Javalin;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The API, and on an embedded broker the page. Closed, it ends what it has started. */
final class Served implements AutoCloseable {
    private static final Duration NIGHT = Duration.ofHours(24);
    // On the page a night passes while somebody watches.
    private static final Duration SHORT_NIGHT = Duration.ofSeconds(5);

    private final RunningParts parts;
    private final Javalin server;
    private final Deque<Runnable> open = new ArrayDeque<>();

    private Served(RunningParts parts) {
        this.parts = parts;
        server = WalletService.api(parts.installation);
    }

    /**
     * Starts both.
     *
     * @param mainClass of this application, which knows the command {@code relay}
     */
    static Served start(RunningParts parts, ServeCommand.Settings settings, String mainClass) throws IOException {
        var served = new Served(parts);
        if (parts.bus.isPresent()) {
            served.addPage(parts.bus.get(), settings, mainClass);
        } else {
            Relay relay = RelayService.start(parts.installation, RelayTempo.CALM);
            served.open.push(relay::close);
            parts.repairEvery(NIGHT);
        }
        served.server.start("127.0.0.1", settings.port());
        return served;
    }

    private void addPage(EmbeddedBus bus, ServeCommand.Settings settings, String mainClass) throws IOException {
        String jdbcUrl = parts.server.jdbcUrl();
        var relay = new ServedRelay(new RelayLaunch(
                mainClass,
                jdbcUrl,
                bus.address().value(),
                parts.installation.schemas().waybill()));
        open.push(relay::close);
        var disasters = new Disasters(parts.installation, bus, relay, parts.server);
        open.push(disasters::close);
        var traffic = Traffic.start(parts.installation, settings.traffic());
        open.push(traffic::close);
        parts.repairEvery(SHORT_NIGHT);
        new LivePage(
                        new LiveFigures(parts.installation, parts.server.jdbcUrl()),
                        disasters,
                        traffic,
                        Optional.ofNullable(settings.console()))
                .addTo(server);
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
