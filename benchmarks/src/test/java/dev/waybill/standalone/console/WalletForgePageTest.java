package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.waybill.walletforge.demo.WalletForge;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of {@code serve} in a real browser; HtmlUnit knows too little of scripts. */
@Timeout(120)
class WalletForgePageTest {
    private static final Path PICTURE = Path.of("../docs/operations/console/walletforge.png");
    private static final String SERVING = "serving ";

    private final Browser browser = Browser.shared();

    @Test
    void the_line_recovers_after_a_killed_relay_and_the_counters_stay_at_zero() throws Exception {
        assumeThat(browser.isReal()).isTrue();
        Process serve = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WalletForge.class.getName(),
                        "serve",
                        "--port=0",
                        "--console=http://127.0.0.1:8090/")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = serve.inputReader()) {
            browser.to(address(lines));
            awaitBooked(40);
            browser.find("button[data-disaster=kill-relay]").click();
            browser.await(() -> browser.find("#said").getText().contains("done"));
            awaitBooked(number("#accepted") + 40);
            assertThat(List.of(number("#lost"), number("#doubled"), number("#outOfOrder")))
                    .containsOnly(0L);
            assertThat(browser.find("#console").getAttribute("href")).isEqualTo("http://127.0.0.1:8090/");
            browser.examine("walletforge");
            keepPicture();
        } finally {
            serve.destroy();
            assertThat(serve.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String address(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.startsWith(SERVING)) {
            line = lines.readLine();
        }
        assertThat(line).isNotNull();
        return line.substring(SERVING.length()).split(" ", 2)[0];
    }

    private void awaitBooked(long count) {
        browser.await(() -> number("#booked") >= count);
    }

    private long number(String css) {
        return Long.parseLong(browser.find(css).getText());
    }

    // With -Dwaybill.docs.write=true the picture of this run becomes that of the tour.
    private static void keepPicture() throws IOException {
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.copy(
                    Path.of("target", "screenshots", "walletforge-light.png"),
                    PICTURE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(PICTURE).isRegularFile();
    }
}
