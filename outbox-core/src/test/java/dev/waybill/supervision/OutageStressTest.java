package dev.waybill.supervision;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

class OutageStressTest {
    @Test
    @Timeout(30)
    void loops_that_fail_and_work_at_once_do_not_lock_each_other() throws Exception {
        var log = LoggerFactory.getLogger("stress");
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("dev.waybill")).setLevel(ch.qos.logback.classic.Level.WARN);
        var outage = new Outage("relay 'one'", System::nanoTime);
        List<Thread> threads = new ArrayList<>();
        List<Fault> faults = List.of(new Fault(log, System::nanoTime), new Fault(log, System::nanoTime), new Fault(log, System::nanoTime));
        faults.forEach(fault -> fault.share(outage, true));
        long end = System.nanoTime() + 4_000_000_000L;
        for (int t = 0; t < 9; t++) {
            Fault fault = faults.get(t % 3);
            var thread = new Thread(() -> {
                while (System.nanoTime() < end) {
                    fault.met("x", new SQLException("refused", "08001"));
                    fault.over("y");
                    outage.at("z");
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Thread.sleep(600);
        faults.forEach(fault -> fault.over("y"));
        System.out.println("## stress ended");
    }
}
