package dev.waybill.walletforge.demo.run;

import dev.waybill.walletforge.demo.console.ConsoleProcess;
import dev.waybill.walletforge.demo.screen.Screen;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;

/** The console of a run, if there is to be one. */
record Console(Optional<ConsoleProcess> process) implements AutoCloseable {
    static Console of(OptionalInt port, Database database, Queue<String> events) throws InterruptedException {
        if (port.isEmpty()) {
            return new Console(Optional.empty());
        }
        return new Console(Optional.of(ConsoleProcess.start(
                database.server().jdbcUrl(),
                database.schemas().waybill(),
                port.getAsInt(),
                address -> events.add("the console; the address signs in once: " + address))));
    }

    /** Returns when a console has ended. */
    void stay(Screen screen) throws InterruptedException {
        if (process.isPresent()) {
            screen.event("The console stays until Ctrl-C.");
            process.get().awaitEnd();
        }
    }

    @Override
    public void close() {
        process.ifPresent(ConsoleProcess::close);
    }
}
