package example;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskExecutor;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;
import pushcrypt.PushCryptException;
import pushcrypt.Sealer;
import pushcrypt.SigningKeyring;

/**
 * A server with Spring that registers devices, and seals messages for them in a task.
 *
 * <p>The environment has {@code KEYRING}, {@code PORT}, and {@code ACCESS_TOKENS}, such as
 * {@code {"a long random text":"anna"}}. {@code POST /devices} and {@code POST /messages} have the header
 * {@code Authorization: Bearer TOKEN}.
 */
public class Example {
    private static final List<HttpMessageConverter<?>> CONVERTERS =
        List.of(new ByteArrayHttpMessageConverter(), new MappingJackson2HttpMessageConverter());

    /** A queue in a database keeps the tasks when the process ends. */
    @Bean
    public TaskExecutor executor() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(1);
        executor.setQueueCapacity(1000);
        return executor;
    }

    @Bean
    public Sealer sealer() throws PushCryptException, IOException {
        return Sealer.signedBy(SigningKeyring.read(Path.of(System.getenv("KEYRING"))));
    }

    // Spring Boot, and @EnableWebMvc in a class with @Configuration, add the beans below except the interceptor.

    @Bean
    public RequestMappingHandlerMapping mapping() {
        RequestMappingHandlerMapping mapping = new RequestMappingHandlerMapping();
        mapping.setInterceptors(new Object[] {new Access(System.getenv("ACCESS_TOKENS"))});
        return mapping;
    }

    @Bean
    public RequestMappingHandlerAdapter adapter() {
        RequestMappingHandlerAdapter adapter = new RequestMappingHandlerAdapter();
        adapter.setMessageConverters(CONVERTERS);
        return adapter;
    }

    @Bean
    public ExceptionHandlerExceptionResolver rejections() {
        ExceptionHandlerExceptionResolver resolver = new ExceptionHandlerExceptionResolver();
        resolver.setMessageConverters(CONVERTERS);
        resolver.setOrder(0);
        return resolver;
    }

    @Bean
    public DefaultHandlerExceptionResolver failures() {
        return new DefaultHandlerExceptionResolver();
    }

    public static void main(String[] arguments) throws Exception {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.register(Example.class, Devices.class, Messages.class, Requests.class);
        ServletContextHandler handler = new ServletContextHandler();
        handler.addServlet(new ServletHolder(new DispatcherServlet(context)), "/");
        Server server = new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))));
        server.setHandler(handler);
        server.start();
        server.join();
    }
}
