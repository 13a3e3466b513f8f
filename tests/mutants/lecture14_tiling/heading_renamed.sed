# file: lecture14_tiling/README.md
# test: tests/notes/notes_links.sh
s|^## 5. Tensor cores (`gemm_bf16`)|## 5. Matrix units (`gemm_bf16`)|
