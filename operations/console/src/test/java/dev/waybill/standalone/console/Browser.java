package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TakesScreenshot;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.htmlunit.HtmlUnitDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chromium without a window where it is installed, or else HtmlUnit, which shows nothing and checks less. */
final class Browser {
    private static final Logger LOG = LoggerFactory.getLogger(Browser.class);
    private static final List<String> TAGS =
            List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice");
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private static @Nullable Browser shared;

    private final WebDriver driver;

    private Browser(WebDriver driver) {
        this.driver = driver;
    }

    /** One for all tests of this JVM: a browser takes longer to start than most tests take. */
    static synchronized Browser shared() {
        if (shared == null) {
            Browser opened = open();
            Runtime.getRuntime().addShutdownHook(new Thread(opened.driver::quit));
            shared = opened;
        }
        return shared;
    }

    private static Browser open() {
        Optional<Path> chromium = installed("chromium", "chromium-browser", "google-chrome");
        Optional<Path> chromedriver = installed("chromedriver");
        boolean real = chromium.isPresent() && chromedriver.isPresent() && !Boolean.getBoolean("waybill.htmlunit");
        LOG.warn("The console is tested in {}", real ? chromium.get() : "HtmlUnit: no screenshots and no axe-core");
        tell(real ? chromium.get().toString() : "HtmlUnit");
        if (!real) {
            return new Browser(new HtmlUnitDriver(false));
        }
        var options = new ChromeOptions();
        options.setBinary(chromium.get().toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars");
        options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
        var service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.get().toFile())
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    /** For whoever wants to know afterwards. */
    private static void tell(String name) {
        try {
            Files.createDirectories(Path.of("target"));
            Files.writeString(Path.of("target", "browser.txt"), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> installed(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    boolean isReal() {
        return driver instanceof ChromeDriver;
    }

    void to(String address) {
        driver.get(address);
    }

    String address() {
        return String.valueOf(driver.getCurrentUrl());
    }

    void back() {
        driver.navigate().back();
    }

    String text() {
        return driver.findElement(By.tagName("body")).getText();
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    void follow(String text) {
        leave(By.linkText(text));
    }

    void followFirst(String css) {
        leave(By.cssSelector(css));
    }

    void press(String button) {
        leave(By.xpath("//button[normalize-space()='" + button + "']"));
    }

    // A click may return before the next page is there; and a refresh may have replaced what was found.
    private void leave(By what) {
        WebElement before = driver.findElement(By.tagName("html"));
        new WebDriverWait(driver, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .until(now -> {
                    now.findElement(what).click();
                    return true;
                });
        new WebDriverWait(driver, PATIENCE).until(now -> isGone(before));
    }

    private static boolean isGone(WebElement page) {
        try {
            page.isEnabled();
            return false;
        } catch (WebDriverException e) {
            return true;
        }
    }

    void type(String id, String text) {
        WebElement field = driver.findElement(By.id(id));
        field.clear();
        field.sendKeys(text);
    }

    void await(java.util.function.BooleanSupplier condition) {
        new WebDriverWait(driver, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .until(now -> condition.getAsBoolean());
    }

    void signIn(RunningConsole console, String person) {
        driver.manage().deleteAllCookies();
        to(console.address() + "/sign-in");
        driver.manage().deleteAllCookies();
        type("name", person);
        type("password", RunningConsole.PASSWORD);
        press("Sign in");
    }

    // The mode that is not deprecated opens a window for each look.
    @SuppressWarnings("deprecation")
    private List<Rule> violations(String scheme) {
        var axe = new AxeBuilder().setLegacyMode(true);
        // Nothing but colours differs in the dark.
        return (scheme.equals("dark") ? axe.withRules(List.of("color-contrast")) : axe.withTags(TAGS))
                .analyze(driver)
                .getViolations();
    }

    /** Looks at the page as people with other needs do: light and dark, wide and narrow; and keeps a picture of each. */
    void examine(String name) {
        if (!isReal()) {
            return;
        }
        for (String scheme : List.of("light", "dark")) {
            scheme(scheme);
            size(1280, 900);
            picture(name + "-" + scheme);
            assertThat(violations(scheme)).as("%s, %s", name, scheme).isEmpty();
        }
        scheme("light");
        size(390, 844);
        picture(name + "-phone");
        assertThat(((ChromeDriver) driver).executeScript("return document.documentElement.scrollWidth"))
                .as("%s does not scroll sideways on a phone", name)
                .isEqualTo(390L);
        size(1280, 900);
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                        .map(LogEntry::getMessage)
                        .filter(line -> !line.contains("the server responded with a status of 4")))
                .as("%s breaks no policy", name)
                .isEmpty();
    }

    private void scheme(String scheme) {
        ((ChromeDriver) driver)
                .executeCdpCommand(
                        "Emulation.setEmulatedMedia",
                        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** HtmlUnit has none. */
    void size(int width, int height) {
        if (!isReal()) {
            return;
        }
        ((ChromeDriver) driver)
                .executeCdpCommand(
                        "Emulation.setDeviceMetricsOverride",
                        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Keeps a picture of what is shown; HtmlUnit shows nothing. */
    void picture(String name) {
        if (!isReal()) {
            return;
        }
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(
                    SCREENSHOTS.resolve(name + ".png"), ((TakesScreenshot) driver).getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
