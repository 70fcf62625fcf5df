package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.walletforge.demo.WalletForge;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.WebElement;

/** The walk-through works as its page says, with WalletForge as it is started there; and its pictures are of this run. */
@ExtendWith(PostgresExtension.class)
@Timeout(180)
class ConsoleWalkThroughTest {
    private static final Path PAGE = Path.of("../docs/operations/console-walk-through.md");
    private static final Path MADE = Path.of("target", "screenshots");
    private static final Pattern PICTURE = Pattern.compile("\\(console/(walk-[a-z-]+)\\.png\\)");
    private static final Pattern SIGN_IN = Pattern.compile("signs in once: (http\\S+)");
    private static final Pattern SCHEMAS = Pattern.compile("tables in the schemas (\\w+) and (\\w+)");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Browser browser = Browser.shared();

    private void end(Process forge, TestDatabase database) throws Exception {
        forge.destroy();
        assertThat(forge.waitFor()).isPositive();
        Matcher schemas = found(SCHEMAS);
        database.execute("drop schema " + schemas.group(1) + " cascade");
        database.execute("drop schema " + schemas.group(2) + " cascade");
    }

    private Process start(TestDatabase database) throws IOException {
        Process forge = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WalletForge.class.getName(),
                        "demo",
                        "--console=0",
                        "--faults",
                        "--transactions=400",
                        "--wallets=20",
                        "--jdbc-url=" + database.server().jdbcUrl())
                .redirectErrorStream(true)
                .start();
        var reader = new Thread(
                () -> forge.inputReader(StandardCharsets.UTF_8).lines().forEach(lines::add), "walk-through");
        reader.setDaemon(true);
        reader.start();
        return forge;
    }

    private void awaitLine(String part) {
        await(part).atMost(PATIENCE).untilAsserted(() -> assertThat(lines).anyMatch(line -> line.contains(part)));
    }

    private Matcher found(Pattern pattern) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("long")
    void poison_payments_are_mended_by_hand_in_the_browser_and_the_proof_holds(TestDatabase database) throws Exception {
        Process forge = start(database);
        try {
            walk();
        } finally {
            end(forge, database);
        }
        checkThePage();
    }

    private void walk() throws IOException {
        awaitLine("waiting for you in the console: held sessions 1, dead letters 3");
        browser.size(1280, 900);
        browser.to(found(SIGN_IN).group(1));
        browser.await(() -> browser.text().contains("wallet-tx"));
        browser.picture("walk-overview");

        release();
        mend();
        redrive();

        awaitLine("The console stays until Ctrl-C.");
        assertThat(lines.stream().map(ConsoleWalkThroughTest::masked)).containsAll(shown());
        browser.follow("Audit");
        assertThat(browser.text()).contains("the kind is spelt as the ledger reads it", "the broker takes it now");
        browser.picture("walk-audit");
    }

    /** The lines of WalletForge that the page shows. */
    private static List<String> shown() throws IOException {
        var shown = new ArrayList<String>();
        boolean block = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                block = !block;
            } else if (block && !line.startsWith("$ ") && !line.equals("…")) {
                shown.add(masked(line));
            }
        }
        assertThat(shown).hasSizeGreaterThan(5);
        return shown;
    }

    // Numbers and tokens differ from run to run.
    private static String masked(String line) {
        return line.replaceAll("token=\\S+", "token=").replaceAll("\\d+", "0");
    }

    private void release() {
        browser.follow("Held");
        browser.picture("walk-held");
        browser.followFirst("table th a");
        assertThat(browser.text()).contains("amqp:link:message-size-exceeded");
        browser.picture("walk-hold");
        browser.type("why-release", "the broker takes it now");
        browser.press("Release");
        awaitLine("held sessions 0, dead letters 3");
    }

    private void mend() {
        browser.follow("Dead letters");
        browser.picture("walk-dead-letters");
        List<String> letters = browser.all("table th a").stream()
                .map(WebElement::getText)
                .filter(text -> text.matches("\\d+"))
                .toList();
        assertThat(letters).hasSize(3);
        for (String letter : letters) {
            browser.follow(letter);
            if (letter.equals(letters.get(0))) {
                browser.picture("walk-dead-letter");
            }
            edit(letter.equals(letters.get(0)));
            browser.follow("Dead letters");
        }
    }

    private void edit(boolean first) {
        browser.follow("Edit");
        String body = browser.find("#body").getText();
        browser.type("body", body.replace("crdeit", "credit").replace("dbeit", "debit"));
        browser.press("Show the difference");
        if (first) {
            browser.picture("walk-difference");
        }
        browser.type("why", "the kind is spelt as the ledger reads it");
        browser.press("Save");
        assertThat(browser.text()).contains("The dead letter is edited");
    }

    private void redrive() {
        browser.find("#deed option[value=redrive]").click();
        browser.press("Look at all that fit");
        assertThat(browser.text()).contains("What would happen");
        browser.picture("walk-dry-run");
        browser.type("typed", "3");
        browser.type("why", "the kind is spelt as the ledger reads it");
        browser.press("Re-drive");
        browser.await(() -> browser.text().contains("3 of 3"));
        browser.picture("walk-re-drive");
    }

    /** With -Dwaybill.docs.write=true the pictures of this run become those of the page. */
    private void checkThePage() throws IOException {
        List<String> shown = PICTURE.matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult picture) -> picture.group(1) + ".png")
                .toList();
        assertThat(shown).isNotEmpty();
        for (String picture : shown) {
            Path there = PAGE.resolveSibling("console").resolve(picture);
            if (browser.isReal() && Boolean.getBoolean("waybill.docs.write")) {
                Files.createDirectories(there.getParent());
                Files.copy(MADE.resolve(picture), there, StandardCopyOption.REPLACE_EXISTING);
            }
            assertThat(there).isRegularFile();
            assertThat(!browser.isReal() || Files.exists(MADE.resolve(picture)))
                    .as(picture)
                    .isTrue();
        }
    }
}
