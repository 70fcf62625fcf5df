package dev.waybill.walletforge.demo;

import dev.waybill.walletforge.demo.relay.RelayMain;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "relay", hidden = true, description = "The relay of a demo with faults, in a process of its own.")
final class RelayCommand implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
        RelayMain.run(System.getenv(), System.in);
        return 0;
    }
}
