/TODO(ex05)/,/<<< answer/s/for (int i = 0; i < 4; i++) {/for (int i = 0; i < 2; i++) {/
