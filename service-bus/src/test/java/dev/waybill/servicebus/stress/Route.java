package dev.waybill.servicebus.stress;

import dev.waybill.embedded.postgres.Flow;
import dev.waybill.embedded.postgres.TcpProxy;
import java.util.List;

/**
 * One client's way to the two places where a primary can be: a proxy for each, so that what befalls these flows befalls
 * this client alone. Thread-safe.
 */
final class Route implements AutoCloseable {
    /** No server listens there. */
    private static final int NOWHERE = 1;

    private final List<TcpProxy> places = List.of(TcpProxy.to(NOWHERE), TcpProxy.to(NOWHERE));

    /** Leads to whichever of the two takes writes. The driver asks anew each time which one that is. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + places.get(0).port() + ",127.0.0.1:"
                + places.get(1).port() + "/postgres?user=postgres&targetServerType=primary&hostRecheckSeconds=0"
                + "&connectTimeout=2";
    }

    /** Leads new connections of one place to a server. */
    void lead(int place, int port) {
        places.get(place).leadTo(port);
    }

    /** Refuses new connections of one place; the open ones stay. */
    void refuse(int place) {
        places.get(place).leadTo(NOWHERE);
    }

    List<Flow> flows() {
        return places.stream().flatMap(place -> place.flows().stream()).toList();
    }

    /** Silences all connections, also those to come. */
    void silence() {
        places.forEach(TcpProxy::silence);
    }

    /** Lets all go on. */
    void resume() {
        places.forEach(TcpProxy::resume);
    }

    void cut() {
        places.forEach(TcpProxy::cut);
    }

    @Override
    public void close() {
        places.forEach(TcpProxy::close);
    }
}
