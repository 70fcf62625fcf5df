package dev.waybill.servicebus.stress;

import java.util.List;
import java.util.stream.Stream;

/**
 * The ways to the database.
 *
 * @param writers all of them share it
 * @param relays one for each
 */
record Routes(Route writers, List<Route> relays) implements AutoCloseable {
    static Routes of(int relays) {
        return new Routes(new Route(), Stream.generate(Route::new).limit(relays).toList());
    }

    List<Route> all() {
        return Stream.concat(Stream.of(writers), relays.stream()).toList();
    }

    @Override
    public void close() {
        all().forEach(Route::close);
    }
}
